-- fleet.spans for who sees a part of the books: names of what is in his scope, "" for others.
select n.cluster, n.name, p.slot, coalesce(p.slice_id, -1), coalesce(w.namespace, ''), coalesce(w.name, '')
from (select distinct cluster, node from devices where tenant_id = $1 and last_at >= $2 and ($4 = '' or node = $4)) d
join nodes n on n.tenant_id = $1 and n.cluster = d.cluster and n.name = d.node
join span_words p on p.tenant_id = $1 and p.node_id = n.node_id and p.day in (date_trunc('day', $3::timestamptz), date_trunc('day', $3::timestamptz - interval '2 hours'))
  and p.from_at <= $3 and p.to_at > $3 - interval '2 hours'
left join workloads w on w.tenant_id = $1 and w.workload_id = p.workload_id
where p.to_at > $3
  or p.to_at >= $3 - interval '1 minute' and p.completed_at is null
  or p.completed_at is null and p.terminal_at is null and p.last_seen >= $3 - interval '5 minutes'
