-- fleet.placements for who sees a part of the books: names of what is in his scope, "" for others.
select p.cluster, p.node, p.device, p.slice_id, coalesce(w.namespace, ''), coalesce(w.name, ''), least(coalesce(p.to_at, p.last_seen), $3::timestamptz)
from (select distinct cluster, node from devices where tenant_id = $1 and last_at >= $2) d
join placement_words p on p.tenant_id = $1 and p.node = d.node and p.cluster = d.cluster
  and p.completed_at is null and p.terminal_at is null and p.last_seen >= $3::timestamptz - interval '2 hours'
left join workloads w on w.tenant_id = $1 and w.workload_id = p.workload_id
where p.from_at <= $3 and coalesce(p.to_at, p.last_seen) >= $3::timestamptz - interval '2 hours'
