-- Stretches of machines that nobody used, of the given subjects or of a day.
select subject_id, node_id, from_at, to_at
from findings
where tenant_id = $1 and kind = 'orphaned_node' and (subject_id = any($2::uuid[]) or to_at > $3 and from_at < $4)
order by subject_id, from_at
