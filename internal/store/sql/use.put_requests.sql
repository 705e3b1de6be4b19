-- What is asked for is that of the newest pod; how many there are, of the newest
-- instant that any of them held.
insert into request_use (tenant_id, cluster, namespace, kind, name, days, cpu_p95, cpu_p99, memory_p95, memory_p99, cpu_requested, memory_requested, pods, owner_id)
select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, n.cpu, n.memory, n.pods, n.owner_id
from (
  select (array_agg((f.requests ->> 'cpu')::bigint order by w.hold_from desc, w.workload_id))[1] as cpu,
         (array_agg((f.requests ->> 'memory')::bigint order by w.hold_from desc, w.workload_id))[1] as memory,
         (array_agg(w.owner_id order by w.hold_from desc, w.workload_id))[1] as owner_id,
         count(*) filter (where w.hold_to = w.newest) as pods
  from (
    select x.*, max(x.hold_to) over () as newest
    from workloads x
    where x.tenant_id = $1 and x.cluster = $2 and x.namespace = $3 and x.kind = $4 and x.owner_name = $5 and x.hold_from is not null
  ) w
  join workload_facts f on f.tenant_id = w.tenant_id and f.cluster = w.cluster and f.uid = w.uid
) n
