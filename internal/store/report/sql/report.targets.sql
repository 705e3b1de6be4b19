-- Each day's ratio beside its target, with that of the four weeks before, and
-- since when it has stood as it does.
select * from (
select s.day, s.target, nullif(s.subject, '') as subject, nullif(s.unit, '') as unit, nullif(s.currency, '') as currency,
       s.numerator, s.denominator, s.value, s.before, s.change, s.status, s.goal,
       min(s.day) over (partition by s.target, s.subject, s.unit, s.currency, s.status, s.islands) as since
from (
  select v.*, row_number() over (partition by v.target, v.subject, v.unit, v.currency order by v.day)
         - row_number() over (partition by v.target, v.subject, v.unit, v.currency, v.status order by v.day) as islands
  from (
    select d.*, j.change, t.goal, case
             when j.judged is null then 'unknown'
             when j.judged < t.act_below or j.judged > t.act_above then 'act'
             when j.judged < t.at_least or j.judged > t.at_most then 'watch'
             else 'good' end as status
    from (
      select day, target, subject, unit, currency, numerator, denominator, numerator / nullif(denominator, 0) as value,
             sum(numerator) over past / nullif(sum(denominator) over past, 0) as before
      from target_days
      where tenant_id = @tenant
      window past as (partition by target, subject, unit, currency order by day range between interval '28 days' preceding and interval '1 day' preceding)
    ) d
    cross join lateral (select d.value / nullif(d.before, 0) - 1) c (change)
    cross join lateral (select c.change, case d.target when 'unit_cost' then c.change else d.value end) j (change, judged)
    join @target_values using (target)
  ) v
) s
) w
where w.day >= @from and w.day < @to
