-- Facts of spot machines, and of what interruptions destroyed wherever it ran,
-- for report.spot. on_demand is the equivalent of docs/figures.md 15.4.
select p.node_id, p.owner_id, p.workload_id, p.run_id, p.attempt_id, p.state, p.currency, p.hour, x.spent, x.destroyed,
       sum(p.effective_cost) as effective_cost, sum(p.capacity_gpu_hours) as capacity,
       case when not bool_or(x.spent and p.capacity_gpu_hours is not null and d.on_demand is null) then coalesce(sum(d.on_demand), 0) end as on_demand
from (@facts) p
cross join lateral (
  select p.usage_id is not null and p.node_id in (select n.node_id from nodes n where n.tenant_id = @tenant and n.price_class = 'spot') as spent,
         p.cause = 'lost' and p.attempt_id in (select a.attempt_id from attempts a where a.tenant_id = @tenant and a.reason = 'spot_interruption')
         or p.cause = 'overhead' and p.attempt_id in (
           select a.attempt_id
           from attempts a
           join attempts z on z.tenant_id = a.tenant_id and z.run_id = a.run_id and z.task = a.task and z.attempt = a.attempt - 1
           where a.tenant_id = @tenant and z.reason = 'spot_interruption') as destroyed
) x
cross join lateral (
  select case
    when not x.spent then null
    when p.capacity_gpu_hours is null or p.list_cost <> 0 or p.list_cost = 0 and p.effective_cost = 0 then p.list_cost
    else (
      select round(r.hourly * p.capacity_gpu_hours / nullif(n.gpus, 0), 12)
      from nodes n
      join rates r on r.tenant_id = n.tenant_id and r.instance_type = n.instance_type and r.price_class = 'on_demand' and r.currency = p.currency
        and (r.region = n.region or r.region = '')
        and r.valid_from < date_trunc('day', p.hour, 'UTC') + interval '1 day' and r.valid_to > date_trunc('day', p.hour, 'UTC')
      where n.tenant_id = @tenant and n.node_id = p.node_id
      order by r.region = '', r.valid_from desc, r.rate_id
      limit 1)
    end as on_demand
) d
where x.spent or x.destroyed
group by p.node_id, p.owner_id, p.workload_id, p.run_id, p.attempt_id, p.state, p.currency, p.hour, x.spent, x.destroyed
