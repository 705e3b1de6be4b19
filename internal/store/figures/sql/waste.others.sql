-- Holds of pods without GPUs on machines with GPUs, with what they asked of the
-- machine; what belongs to every machine (DaemonSets, static pods) is left out.
select w.node_id, w.hold_from, w.hold_to, (f.requests ->> 'cpu')::bigint, (f.requests ->> 'memory')::bigint
from workloads w
join workload_facts f on f.tenant_id = w.tenant_id and f.cluster = w.cluster and f.uid = w.uid
where w.tenant_id = $1 and w.node_id = any($2::uuid[]) and f.system = '' and w.kind not in ('DaemonSet', 'Node') and w.hold_to > w.hold_from
  and not exists (select from jsonb_object_keys(f.requests) k where k not in ('cpu', 'memory'))
  and not exists (select from placements p where p.tenant_id = w.tenant_id and p.cluster = w.cluster and p.workload = w.uid)
order by w.node_id, w.hold_from
