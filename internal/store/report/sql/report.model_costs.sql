-- Facts of owners with a model, with what their workloads serve, for
-- report.models.
select p.hour, p.owner_id, p.run_id, case when w.class = 'service' then w.class end as workload_class, case when w.class = 'service' then nullif(w.service, '') end as service,
       p.currency, p.state, p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours, p.active_gpu_hours,
       p.hour as first_hour, p.hour as last_hour
from (
@facts_both
) p
left join workloads w on w.tenant_id = @tenant and w.workload_id = p.workload_id
where p.owner_id in (select o.owner_id from owners o where o.tenant_id = @tenant and o.model <> '')
