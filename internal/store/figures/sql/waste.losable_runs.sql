-- Training runs, and others on spot whose work can be lost (6.10), or the named ones
-- of all these kinds, that were there on the days, attempt by attempt, with what was saved in each (docs/rules.md 6.9):
-- a row per checkpoint, one without where there is none. A Job's retries are told
-- by the newest object of its name that was there when it started, unless rules of
-- its own leave failures out; a bare pod has none.
with losable as (
  select r.*, exists (select from checkpoint_facts c where c.tenant_id = $1 and c.run <> '' and c.run = r.run_id) as posted
  from runs r
  where r.tenant_id = $1
    and r.kind in ('training', 'fine_tuning', 'evaluation', 'batch')
    and case when $4::text[] is not null then r.run_id = any($4)
      else r.kind in ('training', 'fine_tuning') or exists (select from attempts a where a.tenant_id = $1 and a.run_id = r.run_id and a.pricing = 'spot') end
    and exists (select from attempts a where a.tenant_id = $1 and a.run_id = r.run_id and a.started_at < $3)
    and exists (select from attempts a where a.tenant_id = $1 and a.run_id = r.run_id and a.ended_at > $2)
)
select r.run_id, r.cluster, r.namespace, r.name, r.root_kind, r.owner_id, r.ended_at is null, r.posted,
       r.kind, case r.root_kind when 'Job' then j.retries when 'Pod' then 0 end,
       a.attempt_id, a.attempt, coalesce(a.pricing = 'spot', false), a.started_at, a.ended_at, a.last_checkpoint_at, d.at
from losable r
join attempts a on a.tenant_id = $1 and a.run_id = r.run_id
left join lateral (
  select case when not o.attrs ? 'ignoresFailures' then (o.attrs ->> 'backoffLimit')::bigint end as retries
  from objects o
  where o.tenant_id = $1 and o.cluster = r.cluster and o.kind = 'Job' and o.namespace = r.namespace and o.name = r.name
    and o.created_at <= coalesce(r.started_at, r.created_at)
  order by o.created_at desc limit 1
) j on r.root_kind = 'Job'
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
