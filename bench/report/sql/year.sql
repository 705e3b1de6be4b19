-- The invented year: workloads, their times and their cost.

-- name: names
-- Owners of 300 services, 200 notebooks and 20,000 runs, of 40 teams.
insert into owners (tenant_id, owner_id, business_unit, team, project, model, stage, environment, cost_center, queue,
    experiment, "user", labels)
select 1, md5(k || i)::uuid, 'unit-' || i % 40 % 6, 'team-' || lpad((i % 40)::text, 2, '0'),
  'project-' || i % 40 || '-' || i % 3, 'model-' || i % 120,
  case k when 'service' then 'inference' when 'run' then case when i % 3 = 0 then 'fine_tuning' else 'training' end end,
  case when k = 'service' then 'production' else 'development' end, 'cc-' || i % 40 % 12,
    case when k = 'run' then 'queue-' || i % 8 end,
  case when k = 'run' then 'experiment-' || i / 10 end, case when k = 'notebook' then 'user-' || i end,
    jsonb_build_object('app', k || '-' || i)
from (values ('service', 300), ('notebook', 200), ('run', 20000)) n (k, many)
cross join lateral generate_series(0, many - 1) i;

-- A run lasts half a day to five; some 150 are under way at once.
insert into runs (tenant_id, run_id, group_id, cluster, namespace, name, root_kind, kind, status, created_at,
    started_at, ended_at, attempts, preemptions, world, owner_id)
select 1, 'prod-' || i % 4 || '/team-' || i % 40 || '/PyTorchJob/run-' || i, 'pipeline-' || i / 20, 'prod-' || i % 4,
  'team-' || i % 40, 'run-' || i, 'PyTorchJob', 'training',
  'succeeded', at - interval '1 hour', at, at + interval '12 hours' * (1 + i % 10), 1 + (i % 4 = 0)::int,
  (i % 4 = 0)::int, 8, md5('run' || i)::uuid
from (select i, '2025-12-01 00:00:00+00'::timestamptz + interval '1 year' * (i / 20000.0) as at
    from generate_series(0, 19999) i) r;

-- name: work
-- 1,250 machines of 8 GPUs, and 5,000 interrupted spot machines, each with an
-- attempt of a run that needed a second one.
insert into nodes (tenant_id, node_id, cluster, name, instance_type, region, zone, price_class, gpu_model, gpus,
    appeared_at, gone_at)
select 1, md5('n' || n)::uuid, 'prod-' || n % 4, 'node-' || n,
  (array['p5.48xlarge','p4d.24xlarge','a3-highgpu-8g','ND96isr_H100_v5'])[1 + n % 4], 'region-' || n % 3,
  'region-' || n % 3 || (array['a','b'])[1 + n % 2], (array['on_demand','spot','savings_plan'])[1 + n % 3],
  (array['H100','A100','H100','H100'])[1 + n % 4], 8, $1::timestamptz, $2::timestamptz
from generate_series(1, 1250) n;

create temp table tries as
select i, a, r.run_id, r.cluster, r.namespace, r.owner_id, r.attempts, md5(r.run_id || '/' || a)::uuid as attempt_id,
  r.started_at + (a - 1) * (r.ended_at - r.started_at) / r.attempts as from_at,
  r.started_at + a * (r.ended_at - r.started_at) / r.attempts as to_at
from runs r
cross join lateral (select substring(r.run_id from 'run-(\d+)$')::int as i) x
cross join lateral generate_series(1, r.attempts) a;

insert into nodes (tenant_id, node_id, cluster, name, instance_type, region, zone, price_class, gpu_model, gpus,
    appeared_at, gone_at)
select 1, md5('taken' || i)::uuid, cluster, 'taken-' || i, 'p5.48xlarge', 'region-' || i % 3, 'region-' || i % 3 || 'a',
  'spot', 'H100', 8, from_at, to_at from tries where a < attempts;

insert into attempts (tenant_id, attempt_id, run_id, attempt, started_at, ended_at, running, outcome, reason, pricing,
    nodes, gpus, loss_basis, loss_from)
select 1, attempt_id, run_id, a, from_at, to_at, false, case when a < attempts then 'preempted' else 'succeeded' end,
  case when a < attempts then 'spot_interruption' else '' end,
  case when a < attempts or i % 3 = 1 then 'spot' else 'on_demand' end, 4, 32,
    case when a < attempts then 'checkpoint' end, case when a < attempts then to_at - interval '40 minutes' end
from tries;

create temp table pods as
select t.*, k, md5(t.attempt_id || '/' || k)::uuid as workload_id, case when t.a < t.attempts
  and k = 0 then md5('taken' || t.i)::uuid else md5('n' || 1 + (t.i * 7 + k) % 1250)::uuid end as node_id
from tries t cross join generate_series(0, 3) k;

insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, owner_name, class, node_id,
    hold_from, hold_to, outcome, run_id, owner_id)
select 1, workload_id, cluster, namespace, 'run-' || i || '-' || a || '-' || k, workload_id::text, 'PyTorchJob',
  'run-' || i, 'run', node_id, from_at, to_at,
  case when a < attempts then 'preempted' else 'succeeded' end, run_id, owner_id from pods;
insert into segments (tenant_id, attempt_id, workload_id, from_at, to_at, weight) select 1, attempt_id, workload_id,
  from_at, to_at, 8 from pods;
insert into workload_facts (tenant_id, cluster, uid, namespace, name, node, requests, created_at, scheduled_at,
    started_at, completed_at, phase, first_seen, last_seen, asked_units)
select 1, cluster, workload_id::text, namespace, 'run-' || i || '-' || a || '-' || k, 'node',
  '{"nvidia_com_gpu": 8, "cpu": 64000}', from_at - interval '1 second' * (abs(hashtext(attempt_id::text)) % 9000),
  from_at, from_at, to_at, 'Succeeded', from_at, to_at, 8 * 7000000 from pods;

insert into spot_interruptions (tenant_id, node_id, at, warned_at) select 1, md5('taken' || i)::uuid, to_at,
  to_at - interval '2 minutes' from tries where a < attempts;
insert into spot_hits (tenant_id, node_id, attempt_id, recovery_seconds) select 1, md5('taken' || i)::uuid, attempt_id,
  60 + i % 1800 from tries where a < attempts;
drop table pods, tries;

-- 200,000 short pods that requested a GPU, of notebooks and services.
insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, owner_name, class, node_id,
    hold_from, hold_to, outcome, owner_id)
select 1, md5('short' || i)::uuid, 'prod-' || i % 4, 'team-' || i % 40, 'short-' || i, md5('short' || i), 'Notebook',
  'short-' || i, 'interactive', md5('n' || 1 + i % 1250)::uuid,
  at + interval '1 second' * (i % 7200), at + interval '3 hours', 'succeeded', md5('notebook' || i % 200)::uuid
from (select i, $1::timestamptz + ($2::timestamptz - $1::timestamptz) * (i / 200000.0) as at
    from generate_series(0, 199999) i) s;
insert into workload_facts (tenant_id, cluster, uid, namespace, name, node, requests, created_at, scheduled_at,
    started_at, completed_at, phase, first_seen, last_seen, asked_units)
select 1, 'prod-' || i % 4, md5('short' || i), 'team-' || i % 40, 'short-' || i, 'node',
  '{"nvidia_com_gpu": 1, "cpu": 8000}', at,
  at + interval '1 second' * (i % 7200), at + interval '1 second' * (i % 7200), at + interval '3 hours', 'Succeeded',
  at, at + interval '3 hours', 7000000
from (select i, $1::timestamptz + ($2::timestamptz - $1::timestamptz) * (i / 200000.0) as at
    from generate_series(0, 199999) i) s

-- name: day
-- The sums of a day's ledger: holders by cause and price class, and unheld time.
-- Amounts have as many digits as real ones.
select r.*, null::text as commitment
from (
with holder as (
  select 'service' as class, 'Deployment' as workload, 'svc-' || i as service, null::text as run,
    md5('service' || i)::uuid as owner_id, i, 'serving' as namespace,
    array['used','held_idle','overhead','unobserved'] as causes
  from generate_series(0, 299) i
  union all
  select 'interactive', 'Notebook', null, null, md5('notebook' || i)::uuid, i, 'team-' || i % 40,
    array['used','held_idle']
  from generate_series(0, 199) i
  union all
  select 'run', 'PyTorchJob', null, r.run_id, r.owner_id, hashtext(r.run_id) & 1023, r.namespace,
    array['used','held_idle','overhead','lost','host']
  from runs r where r.started_at < $1::timestamptz + interval '1 day' and r.ended_at > $1::timestamptz
), held as (
  select h.*, c.cause, o.business_unit, o.team, o.project, o.model, o.stage, o.environment, o.cost_center, o.queue,
    h.i % 4 as cluster,
    (array['p5.48xlarge','p4d.24xlarge','a3-highgpu-8g','ND96isr_H100_v5'])[1 + h.i % 4] as instance_type,
    (array['on_demand','spot','savings_plan'])[1 + m.n % 3] as pricing, m.n
  from holder h
  join owners o on o.owner_id = h.owner_id
  cross join lateral unnest(h.causes) c (cause)
  -- services are in two places
  cross join lateral (select h.i + z from generate_series(0, (h.class = 'service')::int) z) m (n)
), nobody as (
  select n, c.cause, n % 4 as cluster,
    (array['p5.48xlarge','p4d.24xlarge','a3-highgpu-8g','ND96isr_H100_v5'])[1 + n % 4] as instance_type,
    (array['on_demand','spot','savings_plan'])[1 + n % 3] as pricing
  from generate_series(0, 23) n
  cross join unnest(array[
    'free', 'stranded', 'unavailable', 'commitment_unused', 'commitment_fee', 'shared', 'non_gpu']) c (cause)
), every as (
  select class, workload, service, run, owner_id, namespace, cause, business_unit, team, project, model, stage,
    environment, cost_center, queue, cluster, instance_type, pricing, n, true as held from held
  union all
  select null, null, null, null, md5('nobody')::uuid, null, cause, null, 'unowned', null, null, null, null, null, null,
    cluster, instance_type, pricing, n, false from nobody
)
select $1::timestamptz + (hashtext(n || cause || coalesce(service, run, '')) & 15) * interval '1 hour',
  to_char($1::timestamptz at time zone 'UTC', 'YYYY-MM'), cause, 'direct', 'USD',
  case when $1::timestamptz < '2026-10-01' then 'final' else 'open' end,
    (array['aws','aws','gcp','azure'])[1 + cluster], 'payer-' || cluster,
    'account-' || coalesce(right(team, 2)::text, '0'),
  'region-' || cluster % 3, 'region-' || cluster % 3 || (array['a','b'])[1 + n % 2], 'prod-' || cluster, instance_type,
  (array['H100','A100','H100','H100'])[1 + cluster],
  case when class = 'service' and n % 5 = 0 then '1g.10gb' end, pricing, 'Compute', 'Usage', namespace, workload, class,
    service,
  business_unit, team, project, model, stage, environment, cost_center, queue,
  case when cause in ('lost', 'unobserved') then 'estimated' else 'measured' end, owner_id, run,
  x.amount, x.amount, round(x.amount * 1.7, 12), x.amount,
  case when held then round(x.amount / 4.1, 12) end, round(x.amount / 4.1, 12),
    case when cause = 'used' then round(x.amount / 5.3, 12) else 0 end, case when held then round(x.amount / 6.7, 9) end
from every
cross join lateral (select round((50 + hashtextextended(n || cause || coalesce(service, run, team),
    extract(epoch from $1::timestamptz)::bigint) % 40)::numeric * 1.123456789012, 12) as amount) x
) r (hour, billing_period, cause, kind, currency, state, provider, billing_account, account, region, zone, cluster,
instance_type, gpu_model,
  mig_profile, pricing, service_name, charge_category, namespace, workload_kind, workload_class, service,
  business_unit, team, project, model, stage, environment, cost_center, queue, quality, owner_id, run,
  effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh)

-- name: figures
-- The daily sums of hours of the week, commitments and demand. Capacity is of
-- 4 clusters with 3 kinds of machine in 3 regions each. 40 teams hold machines of a
-- family in two places, on demand and covered by a savings plan or a reservation;
-- the owners of a team are those of its services and of its runs of the day.
insert into star.idle_days (tenant_id, at, cluster, instance_type, region, gpu_model, hour_of_week, capacity_gpu_hours,
    free_gpu_hours, held_idle_gpu_hours, idle_gpu_hours, observed_gpu_hours)
select 1, d.day, 'prod-' || c, (array['p5.48xlarge','p4d.24xlarge','a3-highgpu-8g','ND96isr_H100_v5'])[1 + (c + k) % 4],
  'region-' || r, (array['H100','A100','H100','H100'])[1 + (c + k) % 4],
  (extract(isodow from d.day at time zone 'UTC')::bigint - 1) * 24 + h, round(x.q * 6.1, 12), x.q, round(x.q * 0.7, 12),
  round(x.q * 2, 12), round(x.q * 6, 12)
from generate_series($1::timestamptz, $2::timestamptz - interval '1 day', interval '1 day') d (day)
cross join generate_series(0, 3) c cross join generate_series(0, 2) k cross join generate_series(0, 2) r
cross join generate_series(0, 23) h
cross join lateral (select round((20 + (hashtextextended(c || '/' || k || '/' || r || '/' || h,
    extract(epoch from d.day)::bigint) % 9))::numeric * 1.123456789, 12) as q) x;

insert into star.held_days (tenant_id, at, team, instance_family, region, hours, first_hour, last_hour)
select 1, d.day, 'team-' || lpad(t::text, 2, '0'), (array['p5','p4d'])[1 + f], 'region-' || (t + f) % 3,
  24 - (t * 7 + extract(doy from d.day)::int) % 14, d.day, d.day + interval '23 hours'
from generate_series($1::timestamptz, $2::timestamptz - interval '1 day', interval '1 day') d (day)
cross join generate_series(0, 39) t cross join generate_series(0, 1) f;

with owner as (
  select o.owner_id, o.team, r.day from owners o join (
    select owner_id, generate_series(date_trunc('day', started_at, 'UTC'), ended_at, interval '1 day') as day from runs
    where tenant_id = 1
    union all
    select md5('service' || i)::uuid, d from generate_series(0, 299) i
    cross join generate_series($1::timestamptz, $2::timestamptz - interval '1 day', interval '1 day') d
  ) r on r.owner_id = o.owner_id where o.tenant_id = 1 and r.day >= $1::timestamptz and r.day < $2::timestamptz
)
insert into star.commitment_owner_days (tenant_id, at, use, provider, billing_account, account, region, cluster,
    commitment, commitment_type, instance_type, instance_family, state, currency, team, owner_id, effective_cost, worth)
select 1, o.day + case when u.use = 'covered' then u.half * interval '12 hours' else interval '0' end, u.use, 'aws',
  'payer-' || k.n % 2, 'account-' || right(o.team, 2), 'region-' || k.n % 3, 'prod-' || k.n % 4,
  case when u.use <> 'on_demand' then 'commitment-' || k.n % 20 end,
    case when u.use <> 'on_demand' then (array['savings_plan','reserved'])[1 + k.n % 2] end,
  (array['p5.48xlarge','p4d.24xlarge'])[1 + k.n % 2], (array['p5','p4d'])[1 + k.n % 2],
  case when o.day < '2026-10-01' then 'final' else 'open' end, 'USD', o.team, o.owner_id, x.amount,
  round(x.amount * 1.7, 12)
from owner o
cross join lateral (select right(o.team, 2)::int + z as n from generate_series(0, 1) z) k
cross join (values ('on_demand', 0), ('covered', 0), ('covered', 1)) u (use, half)
cross join lateral (select round((50 + hashtextextended(o.owner_id::text || u.use || u.half || k.n,
    extract(epoch from o.day)::bigint) % 40)::numeric * 1.123456789012, 12) as amount) x
union all
select 1, d, 'unused', 'aws', 'payer-' || n % 2, 'account-' || lpad(n::text, 2, '0'), 'region-' || n % 3, null,
  'commitment-' || n, (array['savings_plan','reserved'])[1 + n % 2],
  (array['p5.48xlarge','p4d.24xlarge'])[1 + n % 2], (array['p5','p4d'])[1 + n % 2],
  case when d < '2026-10-01' then 'final' else 'open' end, 'USD', 'team-' || lpad(n::text, 2, '0'),
  md5('service' || n)::uuid, 3.123456789012 + n, null
from generate_series($1::timestamptz, $2::timestamptz - interval '1 day', interval '1 day') d
cross join generate_series(0, 19) n;

insert into star.commitment_days (tenant_id, at, use, provider, billing_account, account, region, cluster, commitment,
    commitment_type, instance_type, instance_family, state, currency, team, owner_id, effective_cost, worth)
select 1, at, use, provider, billing_account, account, region, cluster, commitment, commitment_type, instance_type,
  instance_family, state, currency, team, min(owner_id::text)::uuid, sum(effective_cost), sum(worth)
from star.commitment_owner_days where at >= $1::timestamptz and at < $2::timestamptz
group by at, use, provider, billing_account, account, region, cluster, commitment, commitment_type, instance_type,
  instance_family, state, currency, team;

-- That days have a ledger; halves of a window are those of its days.
insert into chunks (tenant_id, node_id, day, generation, calculation_id, digest, usage_rows, posting_rows, part_rows,
    span_rows)
select 1, md5('n' || n)::uuid, d, 1, md5('c')::uuid, 'x', 200, 200, 24, 8
from generate_series($1::timestamptz, $2::timestamptz - interval '1 day', interval '1 day') d
cross join generate_series(1, 1250) n

-- name: runs
-- The daily sums of runs, of models and of spot equal the daily costs of the same
-- owners.
insert into star.run_days (tenant_id, at, run_id, attempt_id, cause, quality, state, currency, pricing, effective_cost,
    effective_abs, billed_cost, list_cost, contracted_cost, on_demand, unpriced, fees, gpu_hours, active_gpu_hours,
    energy_kwh)
select tenant_id, at, run, md5(run || '/1')::uuid, cause, 'measured', state, currency, 'on_demand', effective_cost,
  abs(effective_cost), billed_cost, list_cost, contracted_cost, list_cost, false, false, gpu_hours, active_gpu_hours,
  energy_kwh
from star.cost_run_days
where run is not null and at >= $1::timestamptz and at < $2::timestamptz;

insert into star.run_attempt_days (tenant_id, at, run_id, attempt_id, currency, effective_cost, billed_cost, list_cost,
    contracted_cost, gpu_hours, active_gpu_hours, energy_kwh)
select tenant_id, at, run_id, attempt_id, currency, sum(effective_cost), sum(billed_cost), sum(list_cost),
  sum(contracted_cost), sum(gpu_hours), sum(active_gpu_hours), sum(energy_kwh)
from star.run_days where at >= $1::timestamptz and at < $2::timestamptz
group by tenant_id, at, run_id, attempt_id, currency;

insert into star.model_days (tenant_id, at, owner_id, run_id, workload_class, service, currency, state, effective_cost,
    billed_cost, list_cost, contracted_cost, gpu_hours, active_gpu_hours, first_hour, last_hour)
select 1, c.at, c.owner_id, r.run_id, case when c.workload_class = 'service' then 'service' end, c.service, c.currency,
  c.state, sum(c.effective_cost), sum(c.billed_cost), sum(c.list_cost), sum(c.contracted_cost),
  sum(c.gpu_hours), sum(c.active_gpu_hours), c.at, c.at + interval '23 hours'
from star.cost_owner_days c
left join runs r on r.tenant_id = 1 and r.owner_id = c.owner_id
where c.model is not null and c.at >= $1::timestamptz and c.at < $2::timestamptz
group by c.at, c.owner_id, r.run_id, c.workload_class, c.service, c.currency, c.state;

insert into star.spot_days (tenant_id, at, part, cluster, region, zone, instance_type, gpu_model, namespace,
    workload_class, workload_kind, kind, owner_id, state, currency,
  effective_cost, on_demand_equivalent, gross_saving, lost_cost, instance_hours, known_hours, first_hour, last_hour)
select 1, c.at, case when c.cause = 'lost' then 'spent destroyed' else 'spent' end, c.cluster, c.region, c.zone,
  c.instance_type, c.gpu_model, c.namespace, c.workload_class, c.workload_kind,
  case when c.workload_class = 'run' then 'training' end, c.owner_id, c.state, c.currency, sum(c.effective_cost),
    sum(c.list_cost), sum(c.list_cost - c.effective_cost),
  case when c.cause = 'lost' then sum(c.effective_cost) end, sum(c.capacity_gpu_hours) / 8,
    sum(c.capacity_gpu_hours) / 8, c.at, c.at + interval '23 hours'
from star.cost_owner_days c
where c.pricing = 'spot' and c.at >= $1::timestamptz and c.at < $2::timestamptz
group by c.at, c.cause = 'lost', c.cause, c.cluster, c.region, c.zone, c.instance_type, c.gpu_model, c.namespace,
  c.workload_class, c.workload_kind, c.owner_id, c.state, c.currency;

insert into star.spot_hour_days (tenant_id, at, part, hour_of_day, state, currency, effective_cost,
    on_demand_equivalent, gross_saving, lost_cost, instance_hours, known_hours, first_hour, last_hour)
select 1, at, part, lpad(h::text, 2, '0'), state, currency, sum(effective_cost) / 24, sum(on_demand_equivalent) / 24,
  sum(gross_saving) / 24, sum(lost_cost) / 24, sum(instance_hours) / 24, sum(known_hours) / 24,
  at + h * interval '1 hour', at + h * interval '1 hour'
from star.spot_days cross join generate_series(0, 23) h where at >= $1::timestamptz and at < $2::timestamptz
group by at, part, h, state, currency;
insert into star.spot_node_days (tenant_id, at, node_id, currency)
select 1, d, n.node_id, 'USD' from nodes n
cross join generate_series($1::timestamptz, $2::timestamptz - interval '1 day', interval '1 day') d
where n.tenant_id = 1 and n.price_class = 'spot' and n.appeared_at < d + interval '1 day' and n.gone_at > d;

insert into star.gang_days (tenant_id, at, run_id, attempt_id, currency, effective_cost)
select 1, date_trunc('day', a.started_at, 'UTC'), a.run_id, a.attempt_id, 'USD',
  round((hashtext(a.run_id) & 1023) * 0.0123456789, 12) from attempts a
where a.tenant_id = 1 and a.attempt = 2 and a.started_at >= $1::timestamptz and a.started_at < $2::timestamptz
