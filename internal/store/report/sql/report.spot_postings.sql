-- The postings that dataset spot adds up, one by one.
select s.id as posting_id, s.hour, to_char(s.hour at time zone 'UTC', 'HH24') as hour_of_day,
       nullif(n.cluster, '') as cluster, nullif(n.name, '') as node, nullif(n.region, '') as region, nullif(n.zone, '') as zone,
       nullif(n.instance_type, '') as instance_type, nullif(n.gpu_model, '') as gpu_model, nullif(n.account, '') as account,
       nullif(w.namespace, '') as namespace, nullif(w.class, '') as workload_class, nullif(w.kind, '') as workload_kind,
       nullif(r.kind, '') as kind, s.run_id as run, a.attempt::bigint as attempt, @owner_columns, s.cause, s.state, s.currency,
       case when s.spent then s.effective_cost end as effective_cost,
       case when s.spent then s.capacity_gpu_hours end as gpu_hours, n.gpus::bigint as machine_gpus,
       s.rate as on_demand_rate, s.rate_source as on_demand_source, nullif(s.rate_detail, '') as on_demand_detail,
       s.on_demand as on_demand_equivalent, s.on_demand - s.effective_cost as gross_savings,
       case when s.destroyed then s.effective_cost else 0 end as lost_cost
from (
@spot_rows
) s
join nodes n on n.tenant_id = @tenant and n.node_id = s.node_id
left join workloads w on w.tenant_id = @tenant and w.workload_id = s.workload_id
left join attempts a on a.tenant_id = @tenant and a.attempt_id = s.attempt_id
left join runs r on r.tenant_id = @tenant and r.run_id = s.run_id
left join owners o on o.tenant_id = @tenant and o.owner_id = s.owner_id
