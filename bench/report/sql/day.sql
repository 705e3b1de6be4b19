-- What the ledger of a day adds up to: who held, by cause and price class, and
-- what nobody held. Amounts have the digits that real ones have.
select r.*, null::text as commitment
from (
with holder as (
  select 'service' as class, 'Deployment' as workload, 'svc-' || i as service, null::text as run, md5('service' || i)::uuid as owner_id, i, 'serving' as namespace, array['used','held_idle','overhead','unobserved'] as causes
  from generate_series(0, 299) i
  union all
  select 'interactive', 'Notebook', null, null, md5('notebook' || i)::uuid, i, 'team-' || i % 40, array['used','held_idle']
  from generate_series(0, 199) i
  union all
  select 'run', 'PyTorchJob', null, r.run_id, r.owner_id, hashtext(r.run_id) & 1023, r.namespace, array['used','held_idle','overhead','lost','host']
  from runs r where r.started_at < $1::timestamptz + interval '1 day' and r.ended_at > $1::timestamptz
), held as (
  select h.*, c.cause, o.business_unit, o.team, o.project, o.model, o.stage, o.environment, o.cost_center, o.queue,
    h.i % 4 as cluster, (array['p5.48xlarge','p4d.24xlarge','a3-highgpu-8g','ND96isr_H100_v5'])[1 + h.i % 4] as instance_type,
    (array['on_demand','spot','savings_plan'])[1 + m.n % 3] as pricing, m.n
  from holder h
  join owners o on o.owner_id = h.owner_id
  cross join lateral unnest(h.causes) c (cause)
  cross join lateral (select h.i + z from generate_series(0, (h.class = 'service')::int) z) m (n) -- services are in two places
), nobody as (
  select n, c.cause, n % 4 as cluster, (array['p5.48xlarge','p4d.24xlarge','a3-highgpu-8g','ND96isr_H100_v5'])[1 + n % 4] as instance_type,
    (array['on_demand','spot','savings_plan'])[1 + n % 3] as pricing
  from generate_series(0, 23) n cross join unnest(array['free','stranded','unavailable','commitment_unused','commitment_fee','shared','non_gpu']) c (cause)
), every as (
  select class, workload, service, run, owner_id, namespace, cause, business_unit, team, project, model, stage, environment, cost_center, queue, cluster, instance_type, pricing, n, true as held from held
  union all
  select null, null, null, null, md5('nobody')::uuid, null, cause, null, 'unowned', null, null, null, null, null, null, cluster, instance_type, pricing, n, false from nobody
)
select $1::timestamptz + (hashtext(n || cause || coalesce(service, run, '')) & 15) * interval '1 hour', to_char($1::timestamptz at time zone 'UTC', 'YYYY-MM'), cause, 'direct', 'USD',
  case when $1::timestamptz < '2026-10-01' then 'final' else 'open' end, (array['aws','aws','gcp','azure'])[1 + cluster], 'payer-' || cluster, 'account-' || coalesce(right(team, 2)::text, '0'),
  'region-' || cluster % 3, 'region-' || cluster % 3 || (array['a','b'])[1 + n % 2], 'prod-' || cluster, instance_type, (array['H100','A100','H100','H100'])[1 + cluster],
  case when class = 'service' and n % 5 = 0 then '1g.10gb' end, pricing, 'Compute', 'Usage', namespace, workload, class, service,
  business_unit, team, project, model, stage, environment, cost_center, queue, case when cause in ('lost', 'unobserved') then 'estimated' else 'measured' end, owner_id, run,
  x.amount, x.amount, round(x.amount * 1.7, 12), x.amount,
  case when held then round(x.amount / 4.1, 12) end, round(x.amount / 4.1, 12), case when cause = 'used' then round(x.amount / 5.3, 12) else 0 end, case when held then round(x.amount / 6.7, 9) end
from every
cross join lateral (select round((50 + hashtextextended(n || cause || coalesce(service, run, team), extract(epoch from $1::timestamptz)::bigint) % 40)::numeric * 1.123456789012, 12) as amount) x
) r (hour, billing_period, cause, kind, currency, state, provider, billing_account, account, region, zone, cluster, instance_type, gpu_model,
  mig_profile, pricing, service_name, charge_category, namespace, workload_kind, workload_class, service,
  business_unit, team, project, model, stage, environment, cost_center, queue, quality, owner_id, run,
  effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh)
