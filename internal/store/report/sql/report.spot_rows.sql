-- Facts p of spot machines, and of what interruptions destroyed wherever it ran,
-- each with the on-demand rate of its hour and what it would have cost on demand
-- (docs/figures.md 15.4), where that is known.
select p.*, x.spent, x.destroyed, t.source as rate_source, t.detail as rate_detail, t.hourly as rate,
       case when p.effective_cost is not null then on_demand_cost(t.source, t.hourly, t.gpus, p.list_cost, p.capacity_gpu_hours) end as on_demand
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
where x.spent or x.destroyed
