-- Owners of 300 services, 200 notebooks and 20,000 runs, of 40 teams.
insert into owners (tenant_id, owner_id, business_unit, team, project, model, stage, environment, cost_center, queue, experiment, "user", labels)
select 1, md5(k || i)::uuid, 'unit-' || i % 40 % 6, 'team-' || lpad((i % 40)::text, 2, '0'), 'project-' || i % 40 || '-' || i % 3, 'model-' || i % 120,
  case k when 'service' then 'inference' when 'run' then case when i % 3 = 0 then 'fine_tuning' else 'training' end end,
  case when k = 'service' then 'production' else 'development' end, 'cc-' || i % 40 % 12, case when k = 'run' then 'queue-' || i % 8 end,
  case when k = 'run' then 'experiment-' || i / 10 end, case when k = 'notebook' then 'user-' || i end, jsonb_build_object('app', k || '-' || i)
from (values ('service', 300), ('notebook', 200), ('run', 20000)) n (k, many) cross join lateral generate_series(0, many - 1) i;

-- A run lasts half a day to five; some 150 are under way at once.
insert into runs (tenant_id, run_id, group_id, cluster, namespace, name, root_kind, kind, status, created_at, started_at, ended_at, attempts, preemptions, world, owner_id)
select 1, 'prod-' || i % 4 || '/team-' || i % 40 || '/PyTorchJob/run-' || i, 'pipeline-' || i / 20, 'prod-' || i % 4, 'team-' || i % 40, 'run-' || i, 'PyTorchJob', 'training',
  'succeeded', at - interval '1 hour', at, at + interval '12 hours' * (1 + i % 10), 1 + (i % 4 = 0)::int, (i % 4 = 0)::int, 8, md5('run' || i)::uuid
from (select i, '2025-12-01 00:00:00+00'::timestamptz + interval '1 year' * (i / 20000.0) as at from generate_series(0, 19999) i) r;
