-- What facts of runs, of models and of spot add up to by day is what costs by day
-- say of the same owners.
insert into star.run_days (tenant_id, at, run_id, attempt_id, cause, quality, state, currency, pricing, effective_cost, effective_abs, billed_cost, list_cost, contracted_cost, on_demand, unpriced, fees, gpu_hours, active_gpu_hours, energy_kwh)
select tenant_id, at, run, md5(run || '/1')::uuid, cause, 'measured', state, currency, 'on_demand', effective_cost, abs(effective_cost), billed_cost, list_cost, contracted_cost, list_cost, false, false, gpu_hours, active_gpu_hours, energy_kwh
from star.cost_run_days
where run is not null and at >= $1::timestamptz and at < $2::timestamptz;

insert into star.run_attempt_days (tenant_id, at, run_id, attempt_id, currency, effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, active_gpu_hours, energy_kwh)
select tenant_id, at, run_id, attempt_id, currency, sum(effective_cost), sum(billed_cost), sum(list_cost), sum(contracted_cost), sum(gpu_hours), sum(active_gpu_hours), sum(energy_kwh)
from star.run_days where at >= $1::timestamptz and at < $2::timestamptz
group by tenant_id, at, run_id, attempt_id, currency;

insert into star.model_days (tenant_id, at, owner_id, run_id, workload_class, service, currency, state, effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, active_gpu_hours, first_hour, last_hour)
select 1, c.at, c.owner_id, r.run_id, case when c.workload_class = 'service' then 'service' end, c.service, c.currency, c.state, sum(c.effective_cost), sum(c.billed_cost), sum(c.list_cost), sum(c.contracted_cost),
  sum(c.gpu_hours), sum(c.active_gpu_hours), c.at, c.at + interval '23 hours'
from star.cost_owner_days c
left join runs r on r.tenant_id = 1 and r.owner_id = c.owner_id
where c.model is not null and c.at >= $1::timestamptz and c.at < $2::timestamptz
group by c.at, c.owner_id, r.run_id, c.workload_class, c.service, c.currency, c.state;

insert into star.spot_days (tenant_id, at, part, cluster, region, zone, instance_type, gpu_model, namespace, workload_class, workload_kind, kind, owner_id, state, currency,
  effective_cost, on_demand_equivalent, gross_saving, lost_cost, instance_hours, known_hours, first_hour, last_hour)
select 1, c.at, case when c.cause = 'lost' then 'spent destroyed' else 'spent' end, c.cluster, c.region, c.zone, c.instance_type, c.gpu_model, c.namespace, c.workload_class, c.workload_kind,
  case when c.workload_class = 'run' then 'training' end, c.owner_id, c.state, c.currency, sum(c.effective_cost), sum(c.list_cost), sum(c.list_cost - c.effective_cost),
  case when c.cause = 'lost' then sum(c.effective_cost) end, sum(c.capacity_gpu_hours) / 8, sum(c.capacity_gpu_hours) / 8, c.at, c.at + interval '23 hours'
from star.cost_owner_days c
where c.pricing = 'spot' and c.at >= $1::timestamptz and c.at < $2::timestamptz
group by c.at, c.cause = 'lost', c.cause, c.cluster, c.region, c.zone, c.instance_type, c.gpu_model, c.namespace, c.workload_class, c.workload_kind, c.owner_id, c.state, c.currency;

insert into star.spot_hour_days (tenant_id, at, part, hour_of_day, state, currency, effective_cost, on_demand_equivalent, gross_saving, lost_cost, instance_hours, known_hours, first_hour, last_hour)
select 1, at, part, lpad(h::text, 2, '0'), state, currency, sum(effective_cost) / 24, sum(on_demand_equivalent) / 24, sum(gross_saving) / 24, sum(lost_cost) / 24, sum(instance_hours) / 24, sum(known_hours) / 24,
  at + h * interval '1 hour', at + h * interval '1 hour'
from star.spot_days cross join generate_series(0, 23) h where at >= $1::timestamptz and at < $2::timestamptz group by at, part, h, state, currency;
insert into star.spot_node_days (tenant_id, at, node_id, currency)
select 1, d, n.node_id, 'USD' from nodes n cross join generate_series($1::timestamptz, $2::timestamptz - interval '1 day', interval '1 day') d
where n.tenant_id = 1 and n.price_class = 'spot' and n.appeared_at < d + interval '1 day' and n.gone_at > d;

insert into star.gang_days (tenant_id, at, run_id, attempt_id, currency, effective_cost)
select 1, date_trunc('day', a.started_at, 'UTC'), a.run_id, a.attempt_id, 'USD', round((hashtext(a.run_id) & 1023) * 0.0123456789, 12) from attempts a
where a.tenant_id = 1 and a.attempt = 2 and a.started_at >= $1::timestamptz and a.started_at < $2::timestamptz
