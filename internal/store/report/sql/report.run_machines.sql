-- What machines the workloads of runs were on: every instance type and GPU model once.
select s.run_id, string_agg(distinct nullif(n.instance_type, ''), ', ' order by nullif(n.instance_type, '')) as instance_type,
       string_agg(distinct nullif(n.gpu_model, ''), ', ' order by nullif(n.gpu_model, '')) as gpu_model
from attempts s
join segments q on q.tenant_id = s.tenant_id and q.attempt_id = s.attempt_id
join workloads w on w.tenant_id = q.tenant_id and w.workload_id = q.workload_id
join nodes n on n.tenant_id = w.tenant_id and n.node_id = w.node_id
where s.tenant_id = @tenant
group by s.run_id
