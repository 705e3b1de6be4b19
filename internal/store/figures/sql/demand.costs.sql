insert into demand_costs (tenant_id, day, cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, currency, state, effective_cost)
select $1, $2, w.cluster, w.namespace, w.kind, w.owner_name, coalesce(n.gpu_model, ''), p.mig_profile, coalesce(n.price_class, ''), coalesce(n.instance_type, ''), p.owner_id, w.class, coalesce(r.kind, ''),
  p.currency, max(p.state), sum(p.effective_cost)
from (
  select node_id, workload_id, run_id, owner_id, coalesce(mig_profile, '') as mig_profile, currency, max(state) as state, sum(effective_cost) as effective_cost
  from postings
  where tenant_id = $1 and hour >= $2 and hour < $2 + interval '1 day' and workload_id is not null and node_id is not null and usage_id is not null and effective_cost is not null
  group by 1, 2, 3, 4, 5, 6
) p
join workloads w on w.tenant_id = $1 and w.workload_id = p.workload_id
join nodes n on n.tenant_id = $1 and n.node_id = p.node_id
left join runs r on r.tenant_id = $1 and r.run_id = p.run_id
where w.owner_name <> ''
group by 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
