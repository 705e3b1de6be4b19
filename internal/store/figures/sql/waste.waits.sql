-- Workloads that asked for 2, 4 or 8 GPUs and had none yet at some time of a day.
select q.cluster, q.gpus, q.created_at, q.until
from (
  select f.cluster, (f.requests ->> 'nvidia_com_gpu')::bigint as gpus, f.created_at,
         coalesce(w.hold_from, f.completed_at, f.terminal_at, f.deleted_at, f.last_seen) as until
  from workload_facts f
  left join workloads w on w.tenant_id = f.tenant_id and w.cluster = f.cluster and w.uid = f.uid
  where f.tenant_id = $1 and f.created_at < $2::timestamptz + interval '1 day' and f.last_seen > $2 and f.requests ? 'nvidia_com_gpu'
) q
where q.gpus in (2, 4, 8) and q.until > q.created_at and q.until > $2
order by q.cluster, q.created_at
