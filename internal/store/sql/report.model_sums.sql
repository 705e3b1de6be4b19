-- Sums of facts by owner and holder, for report.models.
select p.owner_id, p.run_id, p.workload_id, p.currency, max(p.state) as state,
       sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost,
       sum(p.gpu_hours) as gpu_hours, sum(p.active_gpu_hours) as active_gpu_hours, min(p.hour) as first_hour, max(p.hour) as last_hour
from (@facts) p
where p.owner_id in (select o.owner_id from owners o where o.tenant_id = @tenant and o.model <> '')
group by p.owner_id, p.run_id, p.workload_id, p.currency
