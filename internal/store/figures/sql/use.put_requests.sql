-- What is asked for is that of the newest pod; how many there are, of the newest
-- instant that any of them held.
insert into request_use (tenant_id, cluster, namespace, kind, name, days, cpu_p95, cpu_p99, memory_p95, memory_p99, enough, cpu_suggested, memory_suggested, cpu_requested, memory_requested, pods, owner_id)
select $1, k.cluster, k.namespace, k.kind, k.name, k.days, k.cpu_p95, k.cpu_p99, k.memory_p95, k.memory_p99, k.enough, k.cpu_suggested, k.memory_suggested, n.cpu, n.memory, coalesce(n.pods, 0), n.owner_id
from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[],
  $11::bool[], $12::bigint[], $13::bigint[])
  as k (cluster, namespace, kind, name, days, cpu_p95, cpu_p99, memory_p95, memory_p99, enough, cpu_suggested, memory_suggested)
left join (
  select w.cluster, w.namespace, w.kind, w.owner_name,
    (array_agg((f.requests ->> 'cpu')::bigint order by w.hold_from desc, w.workload_id))[1] as cpu,
    (array_agg((f.requests ->> 'memory')::bigint order by w.hold_from desc, w.workload_id))[1] as memory,
    (array_agg(w.owner_id order by w.hold_from desc, w.workload_id))[1] as owner_id,
    count(*) filter (where w.hold_to = w.newest) as pods
  from (
    select x.*, max(x.hold_to) over (partition by x.cluster, x.namespace, x.kind, x.owner_name) as newest
    from workloads x
    where x.tenant_id = $1 and x.hold_from is not null
  ) w
  join workload_facts f on f.tenant_id = w.tenant_id and f.cluster = w.cluster and f.uid = w.uid
  group by 1, 2, 3, 4
) n on n.cluster = k.cluster and n.namespace = k.namespace and n.kind = k.kind and n.owner_name = k.name
