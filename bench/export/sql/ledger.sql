-- Rows that a ledger gets in addition to those of a demo.

-- name: more
-- Every posting of table first once more, at most $2, with other ids and devices: $1 names the copy.
insert into posting_rows (tenant_id, part, hour, terms_id, generation, posting_id, part_id, charge_id, rate_id, usage_id, adjusts,
  owner_id, effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours,
  energy_kwh, node_id, slot, device, slice_id, mig_profile, workload_id, run_id, attempt_id)
select tenant_id, part, hour, terms_id, generation, md5(posting_id::text || $1)::uuid, md5(part_id::text || $1)::uuid,
  md5(charge_id::text || $1)::uuid, rate_id, md5(usage_id::text || $1)::uuid, md5(adjusts::text || $1)::uuid,
  owner_id, effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours,
  energy_kwh, node_id, slot, device || '-' || $1, slice_id, mig_profile, workload_id, run_id, attempt_id
from first
limit $2

-- name: day
-- A day of 100 nodes of 8 GPUs and 2,000 pods: 20 of a node at a time, each working and waiting.
select ensure_month(t, '2026-11-02') from unnest(array['parts', 'usage', 'posting_rows']) t;
insert into owners (tenant_id, owner_id, team, project) select 1, md5('o' || i)::uuid, 'team-' || i, 'project-' || i % 5
from generate_series(0, 19) i;
insert into nodes (tenant_id, node_id, cluster, name, instance_type, region, price_class, gpu_model, gpus)
select 1, md5('n' || i)::uuid, 'prod-' || i % 2, 'node-' || i, 'p5.48xlarge', 'us-east-1', 'on_demand', 'H100', 8
from generate_series(1, 100) i;
insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, owner_name, class, node_id, outcome, run_id)
select 1, md5('w' || n || '-' || i)::uuid, 'prod-' || n % 2, 'ns-' || i % 4, 'pod-' || n || '-' || i, md5('w' || n || '-' || i),
  'Deployment', 'service-' || i % 50, 'service', md5('n' || n)::uuid, 'running', ''
from generate_series(1, 100) n, generate_series(1, 20) i;
insert into parts (tenant_id, part_id, charge_id, delivery_id, number, kind, node_id, hour, billing_period, currency,
    effective_cost, billed_cost, list_cost, usage_seconds, method, quality)
select 1, md5('p' || n || '-' || h)::uuid, md5('c' || n || '-' || h)::uuid, md5('d')::uuid, 0, 'compute', md5('n' || n)::uuid,
  '2026-11-02 00:00:00+00'::timestamptz + h * interval '1 hour', '2026-11', 'USD', 32.77, 32.77, 98.32, 3600,
  'resource id', 'measured'
from generate_series(1, 100) n, generate_series(0, 23) h;
insert into usage (tenant_id, usage_id, hour, node_id, slot, device, workload_id, cause, activity, owner_id, quality, method,
    seconds, active_seconds, weight_num, weight_den, held, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh,
    generation)
select 1, md5('u' || n || '-' || h || '-' || k)::uuid, '2026-11-02 00:00:00+00'::timestamptz + h * interval '1 hour',
  md5('n' || n)::uuid, k % 8, 'GPU-' || n || '-' || k % 8, md5('w' || n || '-' || k / 2 + 1)::uuid,
  (array['used', 'held_idle'])[k % 2 + 1], 'active', md5('o' || k % 20)::uuid, 'measured', 'exclusive', 720, 700, 1, 5, true,
  0.2, 0.2, 0.19, 0.07, 1
from generate_series(1, 100) n, generate_series(0, 23) h, generate_series(0, 39) k;
insert into posting_terms (tenant_id, terms_id, billing_period, posted_period, settles, cause, activity, kind, method, quality,
    policy_version, currency, state)
select distinct 1, hashtextextended(u.cause, 0), '2026-11', '2026-11', '2026-11', u.cause, u.activity, 'direct', u.method,
  u.quality, 'default-1', 'USD', 'open' from usage u;
insert into posting_rows (tenant_id, posting_id, hour, part_id, charge_id, part, usage_id, terms_id, owner_id, effective_cost,
  billed_cost, list_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh, node_id, slot, device, workload_id,
  generation)
select 1, md5('x' || u.usage_id)::uuid, u.hour, p.part_id, p.charge_id, 0, u.usage_id, hashtextextended(u.cause, 0),
  u.owner_id, 0.81925, 0.81925, 2.458, u.gpu_hours, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh, u.node_id, u.slot,
  u.device, u.workload_id, 1
from usage u join parts p on p.node_id = u.node_id and p.hour = u.hour;
insert into chunks (tenant_id, node_id, day, generation, calculation_id, digest, usage_rows, part_rows, posting_rows, span_rows)
select 1, node_id, date_trunc('day', hour, 'UTC'), 1, md5('c')::uuid, 'x', count(*), 24, count(*), 0 from usage
group by 2, 3
