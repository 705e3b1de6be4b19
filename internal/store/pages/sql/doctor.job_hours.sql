-- Of machines that jobs of systems whose times name no zone ran on, the last 31 days that were computed: how long
-- GPUs were active in each hour, in millionths of the time in which that is known.
with newest as (select max(hour) as hour from usage where tenant_id = $1),
machines as (
  select distinct w.node_id
  from workloads w join workload_facts f on f.tenant_id = w.tenant_id and f.cluster = w.cluster and f.uid = w.uid
  where w.tenant_id = $1 and f.system = any($2) and w.node_id is not null and w.hold_from is not null
)
select u.node_id, extract(epoch from u.hour)::bigint,
  floor(1000000 * sum(u.active_gpu_hours) / sum(u.capacity_gpu_hours))::bigint
from usage u join machines m on m.node_id = u.node_id
where u.tenant_id = $1 and u.hour > (select hour from newest) - interval '31 days' and u.activity in ('active', 'idle')
group by 1, 2
having sum(u.capacity_gpu_hours) > 0
