-- Who held which slice of a day's machines, and when, some workloads where they are
-- named: a row for each cause.
select s.node_id, s.slot, coalesce(s.slice_id, -1), s.workload_id, w.owner_id, coalesce(s.run_id, ''),
  coalesce(s.attempt_id, '00000000-0000-0000-0000-000000000000'), s.from_at, s.to_at
from spans s
join workloads w on w.tenant_id = s.tenant_id and w.workload_id = s.workload_id
where s.tenant_id = $1 and s.day = $2 and s.slot >= 0
  and ($3::uuid[] is null or s.workload_id = any ($3))
