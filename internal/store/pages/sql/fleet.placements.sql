-- Who holds by a claim, an annotation, a job record or a process, on machines
-- with devices seen since $2, as of $3. Placements without an end last as long
-- as their workload is seen.
select p.cluster, p.node, p.device, p.slice_id, w.namespace, w.name, least(coalesce(p.to_at, w.last_seen), $3::timestamptz)
from (select distinct cluster, node from devices where tenant_id = $1 and last_at >= $2) d
join workload_facts w on w.tenant_id = $1 and w.node = d.node and w.cluster = d.cluster
  and w.completed_at is null and w.terminal_at is null and w.last_seen >= $3::timestamptz - interval '2 hours'
join placements p on p.tenant_id = $1 and p.cluster = w.cluster and p.workload = w.uid and p.node = w.node
where p.from_at <= $3 and coalesce(p.to_at, w.last_seen) >= $3::timestamptz - interval '2 hours'
