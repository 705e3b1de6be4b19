-- Facts of runs by day, for report.run_sums and run_days: unpriced is GPU time
-- with a cost and no on-demand price. What spot saved is of the time on spot
-- machines of which the on-demand price is known; beside it what is not.
select p.day, p.run_id, p.attempt_id, p.cause, p.quality, p.state, p.currency, case when p.on_spot then 'spot' end as pricing,
       p.hour >= @asked_from and p.hour < @asked_to as in_window,
       sum(p.effective_cost) as effective_cost, sum(abs(p.effective_cost)) as effective_abs,
       sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost, sum(p.on_demand) as on_demand,
       bool_or(p.gpu_hours is not null and p.effective_cost is not null and p.on_demand is null) as unpriced,
       bool_and(p.kind = 'amortise') as fees,
       sum(p.on_demand - p.effective_cost) filter (where p.on_spot) as spot_saving,
       sum(p.gpu_hours) filter (where p.on_spot and p.on_demand is not null) as spot_known_hours,
       sum(p.effective_cost) filter (where p.on_spot and p.on_demand is null) as spot_unknown_cost,
       sum(p.gpu_hours) as gpu_hours, sum(p.active_gpu_hours) as active_gpu_hours, sum(p.energy_kwh) as energy_kwh
from (
  select q.*, s.on_spot, date_trunc('day', q.hour, 'UTC') as day,
         case when s.on_spot then case when q.effective_cost is not null then on_demand_cost(t.source, t.hourly, t.gpus, q.list_cost, q.gpu_hours) end
              when q.gpu_hours is null or q.list_cost <> 0 or q.list_cost = 0 and q.effective_cost = 0 then q.list_cost
              when q.state = 'provisional' then (
                select round(r.hourly * q.gpu_hours / nullif(n.gpus, 0), 12)
                from nodes n
                join rates r on r.tenant_id = n.tenant_id and r.instance_type = n.instance_type and r.price_class = 'on_demand' and r.currency = q.currency
                  and (r.region = n.region or r.region = '')
                  and r.valid_from < date_trunc('day', q.hour, 'UTC') + interval '1 day' and r.valid_to > date_trunc('day', q.hour, 'UTC')
                where n.tenant_id = @tenant and n.node_id = q.node_id
                order by r.region = '', r.valid_from desc, r.rate_id
                limit 1)
         end as on_demand
  from (@facts) q
  left join spot_rates t on t.tenant_id = @tenant and t.node_id = q.node_id and t.hour = q.hour and t.currency = q.currency
  cross join lateral (select q.usage_id is not null and coalesce(q.node_id in (select n.node_id from nodes n where n.tenant_id = @tenant and n.price_class = 'spot'), false) as on_spot) s
  where q.run_id is not null @of_runs
) p
group by 1, 2, 3, 4, 5, 6, 7, 8, 9
