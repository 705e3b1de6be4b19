-- Whose findings may have changed with the days: those that lie in them, and
-- those that were open.
select distinct scope, subject_id
from findings
where tenant_id = $1 and (open or to_at > $2 and from_at < $3) and scope in ('holder', 'service', 'workload', 'device', 'node')
