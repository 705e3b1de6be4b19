-- Each day's ratio beside its target, with that of the four weeks before, and
-- since when it has stood as it does.
select * from (
select s.day, s.target, nullif(s.subject, '') as subject, nullif(s.unit, '') as unit, nullif(s.currency, '') as currency,
       s.numerator, s.denominator, s.value, s.before, s.change, s.status, s.goal,
       min(s.day) over (partition by s.target, s.subject, s.unit, s.currency, s.status, s.islands) as since
from (
  select v.*, case
           when v.judged is null then 'unknown'
           when v.judged < v.act_below or v.judged > v.act_above then 'act'
           when v.judged < v.at_least or v.judged > v.at_most then 'watch'
           else 'good' end as status,
         row_number() over (partition by v.target, v.subject, v.unit, v.currency order by v.day)
         - row_number() over (partition by v.target, v.subject, v.unit, v.currency, case
           when v.judged is null then 'unknown'
           when v.judged < v.act_below or v.judged > v.act_above then 'act'
           when v.judged < v.at_least or v.judged > v.at_most then 'watch'
           else 'good' end order by v.day) as islands
  from (
    select d.*, d.value / nullif(d.before, 0) - 1 as change,
           case d.target when 'unit_cost' then d.value / nullif(d.before, 0) - 1 else d.value end as judged,
           t.goal, t.at_least, t.at_most, t.act_below, t.act_above
    from (
      select day, target, subject, unit, currency, numerator, denominator, numerator / nullif(denominator, 0) as value,
             sum(numerator) over past / nullif(sum(denominator) over past, 0) as before
      from target_days
      where tenant_id = @tenant
      window past as (partition by target, subject, unit, currency order by day range between interval '28 days' preceding and interval '1 day' preceding)
    ) d
    join @target_values using (target)
  ) v
) s
) w
where w.day >= @from and w.day < @to
