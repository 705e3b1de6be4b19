-- Quantities, billed or not.
select u.usage_id, u.hour, nullif(n.cluster, '') as cluster, n.name as node, nullif(u.slot, -1)::bigint as slot,
       nullif(u.device, '') as device, u.slice_id::bigint as slice_id, nullif(u.mig_profile, '') as mig_profile,
       nullif(w.namespace, '') as namespace, w.name as pod, nullif(w.kind, '') as workload_kind,
       nullif(u.run_id, '') as run_id, a.attempt::bigint as attempt,
       @owner_columns,
       u.cause, u.activity, u.held, u.seconds, u.active_seconds,
       u.gpu_hours, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh, u.quality, u.method
from usage u
left join owners o on o.tenant_id = @tenant and o.owner_id = u.owner_id
left join nodes n on n.tenant_id = @tenant and n.node_id = u.node_id
left join workloads w on w.tenant_id = @tenant and w.workload_id = u.workload_id
left join attempt_words a on a.tenant_id = @tenant and a.attempt_id = u.attempt_id
where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to
