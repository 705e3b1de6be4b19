select cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, currency, max(state), sum(effective_cost)
from demand_costs
where tenant_id = $1 and day >= date_trunc('day', $2::timestamptz, 'UTC') and day < $3
group by cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, currency
