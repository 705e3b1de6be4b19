-- What running runs cost per hour now, when their budget will be or was used up,
-- and what is still to come if they last as long as others like them
-- (docs/figures.md 15.5). Now is the end of the data.
select u.run_id, u.currency, u.burn_rate,
       case when u.spent >= u.allowed then (
              select min(j.hour) + interval '1 hour'
              from (
                select p.hour, sum(sum(p.effective_cost)) over (order by p.hour) as spent
                from @posted p
                where p.tenant_id = @tenant and p.run_id = u.run_id and p.currency = u.currency
                group by p.hour
              ) j
              where j.spent >= u.allowed)
            when (u.allowed - u.spent) / u.burn_rate < 876000
            then u.now + floor((u.allowed - u.spent) * 3600 / u.burn_rate)::bigint * interval '1 second'
       end as budget_runs_out_at,
       case when u.usual is not null then round(u.burn_rate * greatest(0, u.usual - u.lasted) / 3600, 12) end as still_to_come
from (
  select r.run_id, w.currency, e.now, coalesce(r.budget, r.max_cost) as allowed, round(w.effective_cost / nullif(w.hours, 0), 12) as burn_rate, z.spent, m.usual,
         extract(epoch from e.now - r.started_at) as lasted
  from runs r
  left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
  left join (
@run_gpus
  ) g on g.run_id = r.run_id
  cross join (select k.at as now from known_until k where k.tenant_id = @tenant) e
  cross join lateral (
    select p.currency, sum(p.effective_cost) as effective_cost, count(distinct p.hour) filter (where p.gpu_hours > 0) as hours
    from @posted p
    where p.tenant_id = @tenant and p.run_id = r.run_id and p.effective_cost is not null
      and p.hour >= date_trunc('hour', e.now, 'UTC') - interval '6 hours' and p.hour < date_trunc('hour', e.now, 'UTC')
    group by p.currency
  ) w
  cross join lateral (
    select sum(p.effective_cost) as spent
    from @posted p
    where p.tenant_id = @tenant and p.run_id = r.run_id and p.currency = w.currency
  ) z
  left join (
    select coalesce(o.team, '') as team, i.kind, coalesce(o.model, '') as model, g.gpus,
           percentile_disc(0.5) within group (order by extract(epoch from i.ended_at - i.started_at)) as usual
    from runs i
    left join owners o on o.tenant_id = @tenant and o.owner_id = i.owner_id
    join (
@run_gpus
    ) g on g.run_id = i.run_id
    where i.tenant_id = @tenant and i.status = 'succeeded' and i.started_at is not null and i.ended_at is not null
    group by 1, 2, 3, 4
  ) m on m.team = coalesce(o.team, '') and m.kind = r.kind and m.model = coalesce(o.model, '') and m.gpus = g.gpus
  where r.tenant_id = @tenant and r.status = 'running'
) u
where u.burn_rate > 0
