-- Long training runs without any checkpoint that were there on the days, and
-- what they held.
select r.run_id, r.cluster, r.namespace, r.name, r.root_kind, r.owner_id, a.started_at, a.ended_at, a.held, r.ended_at is null
from runs r
join (
  select run_id, min(started_at) as started_at, max(ended_at) as ended_at,
         sum(extract(epoch from ended_at - started_at))::bigint as held, bool_or(last_checkpoint_at is not null) as saved
  from attempts where tenant_id = $1 group by run_id
) a on a.run_id = r.run_id
where r.tenant_id = $1 and r.kind in ('training', 'fine_tuning') and not a.saved and a.held >= $4 and a.started_at < $3 and a.ended_at > $2
  and not exists (select from checkpoint_facts c where c.tenant_id = $1 and c.run <> '' and c.run = r.run_id)
order by r.run_id
