-- Whom allocation placed on machines with devices seen since $2, as of $3: what
-- held then, or held when allocation last looked and has not ended since. $4
-- names one machine, or all when empty.
select n.cluster, n.name, p.slot, coalesce(p.slice_id, -1), w.namespace, w.name
from (select distinct cluster, node from devices where tenant_id = $1 and last_at >= $2 and ($4 = '' or node = $4)) d
join nodes n on n.tenant_id = $1 and n.cluster = d.cluster and n.name = d.node
join spans p on p.tenant_id = $1 and p.node_id = n.node_id and p.day in (date_trunc('day', $3::timestamptz), date_trunc('day', $3::timestamptz - interval '2 hours'))
  and p.from_at <= $3 and p.to_at > $3 - interval '2 hours' and p.workload_id is not null
join workloads w on w.tenant_id = $1 and w.workload_id = p.workload_id
left join workload_facts f on f.tenant_id = $1 and f.cluster = w.cluster and f.uid = w.uid
where p.to_at > $3
  or p.to_at >= $3 - interval '1 minute' and f.completed_at is null
  or f.completed_at is null and f.terminal_at is null and f.last_seen >= $3 - interval '5 minutes'
