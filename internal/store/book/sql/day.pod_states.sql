select s.uid, s.hour, s.minutes
from workload_facts p join pod_state_hours s on s.tenant_id = p.tenant_id and s.cluster = p.cluster and s.uid = p.uid
where p.tenant_id = $1 and p.cluster = $2 and p.node = $3 and s.hour >= $4 and s.hour < $5
order by s.hour, s.uid
