-- Requests of GPU pods against what they used.
select nullif(r.cluster, '') as cluster, nullif(r.namespace, '') as namespace, r.kind as workload_kind, r.name as workload, @owner_columns,
       r.pods, r.days::bigint as days, r.enough as enough_data,
       r.cpu_requested / 1000.0 as cpu_requested, r.cpu_p95 / 1000.0 as cpu_p95, r.cpu_p99 / 1000.0 as cpu_p99, r.cpu_suggested / 1000.0 as cpu_suggested,
       (r.cpu_requested - r.cpu_suggested) / 1000.0 * r.pods as cpu_saving,
       r.memory_requested / 1073741824.0 as memory_requested_gib, r.memory_p95 / 1073741824.0 as memory_p95_gib, r.memory_p99 / 1073741824.0 as memory_p99_gib,
       r.memory_suggested / 1024.0 as memory_suggested_gib, (r.memory_requested / 1073741824.0 - r.memory_suggested / 1024.0) * r.pods as memory_saving_gib
from request_use r
left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
where r.tenant_id = @tenant
