-- Sums of facts over all time, for report.runs.
select p.run_id, p.attempt_id, p.cause, p.quality, p.state, p.currency,
       case when p.node_id in (select s.node_id from nodes s where s.tenant_id = @tenant and s.price_class = 'spot') then 'spot' end as pricing,
       p.hour >= @from and p.hour < @to as in_window,
       sum(p.effective_cost) as effective_cost, sum(abs(p.effective_cost)) as effective_abs,
       sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost,
       case when not bool_or(p.gpu_hours is not null and p.effective_cost is not null
                             and (p.list_cost is null or p.list_cost = 0 and p.effective_cost <> 0))
            then sum(p.list_cost) - sum(p.effective_cost) end as spot_saving,
       sum(p.gpu_hours) as gpu_hours, sum(p.active_gpu_hours) as active_gpu_hours, sum(p.energy_kwh) as energy_kwh
from (@all_facts) p
where p.run_id is not null
group by p.run_id, p.attempt_id, p.cause, p.quality, p.state, p.currency, 7, 8
