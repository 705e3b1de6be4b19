-- Minutes of a day in CrashLoopBackOff of workloads on machines.
select w.node_id, w.workload_id, s.hour, s.minutes
from workloads w
join pod_state_hours s on s.tenant_id = w.tenant_id and s.cluster = w.cluster and s.uid = w.uid
where w.tenant_id = $1 and w.node_id = any($3::uuid[]) and s.hour >= $2 and s.hour < $2 + interval '1 day'
order by w.node_id, w.workload_id, s.hour
