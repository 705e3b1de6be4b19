-- Training runs that were there on the days, attempt by attempt, with what was
-- saved in each (docs/rules.md 6.9): a row per checkpoint, one without where
-- there is none.
with trained as (
  select r.*, exists (select from checkpoint_facts c where c.tenant_id = $1 and c.run <> '' and c.run = r.run_id) as posted
  from runs r
  where r.tenant_id = $1 and r.kind in ('training', 'fine_tuning')
    and exists (select from attempts a where a.tenant_id = $1 and a.run_id = r.run_id and a.started_at < $3)
    and exists (select from attempts a where a.tenant_id = $1 and a.run_id = r.run_id and a.ended_at > $2)
)
select r.run_id, r.cluster, r.namespace, r.name, r.root_kind, r.owner_id, r.ended_at is null, r.posted,
       a.attempt_id, a.started_at, a.ended_at, a.last_checkpoint_at, d.at
from trained r
join attempts a on a.tenant_id = $1 and a.run_id = r.run_id
left join lateral (
  select c.at
  from segments s
  join workloads w on w.tenant_id = s.tenant_id and w.workload_id = s.workload_id
  join checkpoint_facts c on c.tenant_id = w.tenant_id and c.cluster in (w.cluster, '') and c.namespace in (w.namespace, '') and c.pod in (w.name, w.uid) and c.pod <> ''
  where s.tenant_id = $1 and s.attempt_id = a.attempt_id and c.at > a.started_at and c.at <= a.ended_at
  union
  select c.at from checkpoint_facts c
  where c.tenant_id = $1 and c.run <> '' and c.run = r.run_id and c.at > a.started_at and c.at <= a.ended_at
) d on true
order by r.run_id, a.started_at, a.attempt_id, d.at
