select u.workload_id, u.hour, sum(u.gpu_hours), coalesce(sum(u.gpu_hours) filter (where u.cause = 'used'), 0), sum(u.active_gpu_hours)
from usage u
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $3 and u.workload_id = any($4::uuid[])
group by u.workload_id, u.hour
