select day, provider, account, region, cluster, node, namespace, workload_kind, service, run_id, owner_id, cause, kind, quality, currency,
  effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh
from statement_lines
where tenant_id = $1 and billing_account = $2 and billing_period = $3 and version = $4
order by line
