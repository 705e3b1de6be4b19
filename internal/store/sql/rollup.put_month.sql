insert into rollup_months (tenant_id, grain, month, group_id, billing_period, cause, kind, currency, state,
  provider, billing_account, account, region, zone, cluster, instance_type, gpu_model,
  mig_profile, pricing, commitment, service_name, charge_category,
  namespace, workload_kind, workload_class, service,
  business_unit, team, project, model, stage, environment, cost_center, queue,
  quality, owner_id, run,
  effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh)
select g.tenant_id, g.grain, $3::timestamptz, g.group_id, g.billing_period, g.cause, g.kind, g.currency, g.state,
  g.provider, g.billing_account, g.account, g.region, g.zone, g.cluster, g.instance_type, g.gpu_model,
  g.mig_profile, g.pricing, g.commitment, g.service_name, g.charge_category,
  g.namespace, g.workload_kind, g.workload_class, g.service,
  g.business_unit, g.team, g.project, g.model, g.stage, g.environment, g.cost_center, g.queue,
  g.quality, g.owner_id, g.run,
  d.effective_cost, d.billed_cost, d.list_cost, d.contracted_cost, d.gpu_hours, d.capacity_gpu_hours, d.active_gpu_hours, d.energy_kwh
from (
  select d.group_id, sum(d.effective_cost) as effective_cost, sum(d.billed_cost) as billed_cost, sum(d.list_cost) as list_cost, sum(d.contracted_cost) as contracted_cost,
    sum(d.gpu_hours) as gpu_hours, sum(d.capacity_gpu_hours) as capacity_gpu_hours, sum(d.active_gpu_hours) as active_gpu_hours, sum(d.energy_kwh) as energy_kwh
  from rollup_days d
  where d.tenant_id = $1 and d.grain = any ($2) and d.day >= $3 and d.day < ($3::timestamptz at time zone 'UTC' + interval '1 month') at time zone 'UTC'
  group by d.group_id
) d
join rollup_groups g on g.tenant_id = $1 and g.group_id = d.group_id
order by g.grain, g.group_id
