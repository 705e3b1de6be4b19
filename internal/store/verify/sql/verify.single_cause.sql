select u.node_id, u.hour, u.slot, u.slice_id, u.workload_id, u.run_id, u.attempt_id, u.cause, u.activity, count(*) as rows
from usage u
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $3
group by u.node_id, u.hour, u.slot, u.slice_id, u.workload_id, u.run_id, u.attempt_id, u.cause, u.activity
having count(*) > 1
limit 5
