-- 1,250 machines of 8 GPUs, and 5,000 of spot that were taken away, each from an
-- attempt of a run that needed a second one.
insert into nodes (tenant_id, node_id, cluster, name, instance_type, region, zone, price_class, gpu_model, gpus, appeared_at, gone_at)
select 1, md5('n' || n)::uuid, 'prod-' || n % 4, 'node-' || n, (array['p5.48xlarge','p4d.24xlarge','a3-highgpu-8g','ND96isr_H100_v5'])[1 + n % 4], 'region-' || n % 3,
  'region-' || n % 3 || (array['a','b'])[1 + n % 2], (array['on_demand','spot','savings_plan'])[1 + n % 3], (array['H100','A100','H100','H100'])[1 + n % 4], 8, $1::timestamptz, $2::timestamptz
from generate_series(1, 1250) n;

create temp table tries as
select i, a, r.run_id, r.cluster, r.namespace, r.owner_id, r.attempts, md5(r.run_id || '/' || a)::uuid as attempt_id,
  r.started_at + (a - 1) * (r.ended_at - r.started_at) / r.attempts as from_at, r.started_at + a * (r.ended_at - r.started_at) / r.attempts as to_at
from runs r
cross join lateral (select substring(r.run_id from 'run-(\d+)$')::int as i) x
cross join lateral generate_series(1, r.attempts) a;

insert into nodes (tenant_id, node_id, cluster, name, instance_type, region, zone, price_class, gpu_model, gpus, appeared_at, gone_at)
select 1, md5('taken' || i)::uuid, cluster, 'taken-' || i, 'p5.48xlarge', 'region-' || i % 3, 'region-' || i % 3 || 'a', 'spot', 'H100', 8, from_at, to_at from tries where a < attempts;

insert into attempts (tenant_id, attempt_id, run_id, attempt, started_at, ended_at, running, outcome, reason, pricing, nodes, gpus, loss_basis, loss_from)
select 1, attempt_id, run_id, a, from_at, to_at, false, case when a < attempts then 'preempted' else 'succeeded' end, case when a < attempts then 'spot_interruption' else '' end,
  case when a < attempts or i % 3 = 1 then 'spot' else 'on_demand' end, 4, 32, case when a < attempts then 'checkpoint' end, case when a < attempts then to_at - interval '40 minutes' end
from tries;

create temp table pods as
select t.*, k, md5(t.attempt_id || '/' || k)::uuid as workload_id, case when t.a < t.attempts and k = 0 then md5('taken' || t.i)::uuid else md5('n' || 1 + (t.i * 7 + k) % 1250)::uuid end as node_id
from tries t cross join generate_series(0, 3) k;

insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, owner_name, class, node_id, hold_from, hold_to, outcome, run_id, owner_id)
select 1, workload_id, cluster, namespace, 'run-' || i || '-' || a || '-' || k, workload_id::text, 'PyTorchJob', 'run-' || i, 'run', node_id, from_at, to_at,
  case when a < attempts then 'preempted' else 'succeeded' end, run_id, owner_id from pods;
insert into segments (tenant_id, attempt_id, workload_id, from_at, to_at, weight) select 1, attempt_id, workload_id, from_at, to_at, 8 from pods;
insert into workload_facts (tenant_id, cluster, uid, namespace, name, node, requests, created_at, scheduled_at, started_at, completed_at, phase, first_seen, last_seen, asked_units)
select 1, cluster, workload_id::text, namespace, 'run-' || i || '-' || a || '-' || k, 'node', '{"nvidia_com_gpu": 8, "cpu": 64000}', from_at - interval '1 second' * (abs(hashtext(attempt_id::text)) % 9000),
  from_at, from_at, to_at, 'Succeeded', from_at, to_at, 8 * 7000000 from pods;

insert into spot_interruptions (tenant_id, node_id, at, warned_at) select 1, md5('taken' || i)::uuid, to_at, to_at - interval '2 minutes' from tries where a < attempts;
insert into spot_hits (tenant_id, node_id, attempt_id, recovery_seconds) select 1, md5('taken' || i)::uuid, attempt_id, 60 + i % 1800 from tries where a < attempts;
drop table pods, tries;

-- 200,000 short pods that asked for a GPU, of notebooks and services.
insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, owner_name, class, node_id, hold_from, hold_to, outcome, owner_id)
select 1, md5('short' || i)::uuid, 'prod-' || i % 4, 'team-' || i % 40, 'short-' || i, md5('short' || i), 'Notebook', 'short-' || i, 'interactive', md5('n' || 1 + i % 1250)::uuid,
  at + interval '1 second' * (i % 7200), at + interval '3 hours', 'succeeded', md5('notebook' || i % 200)::uuid
from (select i, $1::timestamptz + ($2::timestamptz - $1::timestamptz) * (i / 200000.0) as at from generate_series(0, 199999) i) s;
insert into workload_facts (tenant_id, cluster, uid, namespace, name, node, requests, created_at, scheduled_at, started_at, completed_at, phase, first_seen, last_seen, asked_units)
select 1, 'prod-' || i % 4, md5('short' || i), 'team-' || i % 40, 'short-' || i, 'node', '{"nvidia_com_gpu": 1, "cpu": 8000}', at,
  at + interval '1 second' * (i % 7200), at + interval '1 second' * (i % 7200), at + interval '3 hours', 'Succeeded', at, at + interval '3 hours', 7000000
from (select i, $1::timestamptz + ($2::timestamptz - $1::timestamptz) * (i / 200000.0) as at from generate_series(0, 199999) i) s
