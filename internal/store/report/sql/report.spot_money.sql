-- Money of spot_sums s by what dataset spot is grouped by.
select s.hour, s.hour as first_hour, s.hour as last_hour, to_char(s.hour at time zone 'UTC', 'HH24') as hour_of_day, concat_ws(' ', case when s.spent then 'spent' end, case when s.destroyed then 'destroyed' end,
         case when s.spent and a.outcome in ('failed', 'oom', 'timeout', 'preempted', 'evicted', 'node_failure') then 'dead' end) as part, s.node_id,
       nullif(n.cluster, '') as cluster, nullif(n.name, '') as node, nullif(n.region, '') as region, nullif(n.zone, '') as zone,
       nullif(n.instance_type, '') as instance_type, nullif(n.gpu_model, '') as gpu_model, nullif(w.namespace, '') as namespace,
       nullif(w.class, '') as workload_class, nullif(w.kind, '') as workload_kind, nullif(r.kind, '') as kind, s.run_id as run, s.owner_id, s.state, s.currency,
       case when s.spent then s.effective_cost end as effective_cost,
       s.on_demand as on_demand_equivalent, s.on_demand - s.known_cost as gross_saving,
       case when s.spent then s.unknown_cost end as unknown_cost,
       case when s.destroyed then s.effective_cost end as lost_cost,
       case when s.spent and a.outcome in ('failed', 'oom', 'timeout', 'preempted', 'evicted', 'node_failure') then s.effective_cost end as dead_cost,
       case when s.spent then s.capacity end / nullif(n.gpus, 0) as instance_hours, case when s.spent then s.known end / nullif(n.gpus, 0) as known_hours
from sums s
join nodes n on n.tenant_id = @tenant and n.node_id = s.node_id
left join workloads w on w.tenant_id = @tenant and w.workload_id = s.workload_id
left join attempts a on a.tenant_id = @tenant and a.attempt_id = s.attempt_id
left join runs r on r.tenant_id = @tenant and r.run_id = s.run_id
