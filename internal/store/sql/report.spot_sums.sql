-- Facts of spot machines, and of what interruptions destroyed wherever it ran,
-- for report.spot. on_demand is the equivalent of docs/figures.md 15.4, where it
-- is known; known_cost and known are the cost and the capacity that it is of.
select p.node_id, p.owner_id, p.workload_id, p.run_id, p.attempt_id, p.state, p.currency, p.hour, x.spent, x.destroyed,
       sum(p.effective_cost) as effective_cost, sum(p.capacity_gpu_hours) as capacity,
       sum(d.on_demand) as on_demand,
       sum(p.effective_cost) filter (where d.on_demand is not null) as known_cost,
       sum(case when d.on_demand is not null then p.capacity_gpu_hours else 0 end) as known,
       sum(p.effective_cost) filter (where d.on_demand is null) as unknown_cost
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
left join spot_rates t on x.spent and t.tenant_id = @tenant and t.node_id = p.node_id and t.hour = p.hour and t.currency = p.currency
cross join lateral (
  select case when p.effective_cost is not null then on_demand_cost(t.source, t.hourly, t.gpus, p.list_cost, p.capacity_gpu_hours) end as on_demand
) d
where x.spent or x.destroyed
group by p.node_id, p.owner_id, p.workload_id, p.run_id, p.attempt_id, p.state, p.currency, p.hour, x.spent, x.destroyed
