-- 60,000 findings of the year: 18 kinds, of all teams, some of which are risks,
-- some without cost or in two currencies.
insert into findings (tenant_id, finding_id, kind, subject, scope, subject_id, from_at, to_at, open, risk, cluster, node_id, device, instance_type, gpu_model,
  workload_id, namespace, workload_kind, workload, pod, service, run_id, owner_id, gpu_hours, quality, evidence, first_seen, last_seen)
select 1, md5('finding' || i)::uuid, k.kind, 'prod-' || i % 4 || '/team-' || i % 40 || '/pod-' || i, 'holder', md5('subject' || i)::uuid, at, at + interval '1 hour' * (1 + i % 90), i % 97 = 0, k.risk,
  'prod-' || i % 4, md5('serving' || i % 24)::uuid, null, null, null, md5('replica' || i % 300 || '-0-0')::uuid, 'team-' || i % 40, 'Deployment', 'workload-' || i % 900, 'pod-' || i, null, null,
  md5('notebook' || i % 200)::uuid, case when not k.risk then 1 + i % 90 end, 'measured',
  jsonb_build_array(jsonb_build_object('name', 'idle_seconds', 'unit', 'seconds', 'value', i % 90 * 3600 + 3600, 'threshold', 1800),
    jsonb_build_object('name', 'activity', 'unit', 'ppm', 'value', i % 9000, 'threshold', 10000), jsonb_build_object('name', 'memory_used', 'unit', 'bytes', 'value', i::bigint * 1048576)),
  at, at + interval '4 days'
from generate_series(0, 59999) i
cross join lateral (
  select (array['hoarding','preprovisioned','crashed_job','forgotten_notebook','held_not_used','free_capacity','crash_loop','orphaned_node','overprovisioned_service',
    'throttled','xid','input_starved','memory_bound','communication_bound','memory_saturated','no_checkpoint','node_fragmentation','training_grade_inference'])[1 + i % 18], i % 18 >= 9,
    '2025-12-01 00:00:00+00'::timestamptz + interval '1 year' * (i / 60000.0)
) k (kind, risk, at);
insert into finding_costs (tenant_id, finding_id, currency, state, effective_cost, leads)
select 1, f.finding_id, c.currency, case when f.from_at < '2026-10-01' then 'final' else 'open' end, round((hashtext(f.pod) & 4095) * 0.123456789012, 12), c.currency = 'EUR' or hashtext(f.pod) & 63 <> 1
from findings f
cross join unnest(array['USD', 'EUR']) c (currency)
where f.tenant_id = 1 and (c.currency = 'USD' and hashtext(f.pod) & 31 > 0 or hashtext(f.pod) & 63 = 1)
