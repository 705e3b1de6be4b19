-- Which runs that overlap the window are of which experiment, each of one.
select i.run_id, i.experiment
from (
  select r.run_id,
         coalesce((select min(q.experiment) from experiment_results q where q.tenant_id = @tenant and q.run <> '' and q.run in (r.run_id, r.name)),
                  nullif(o.experiment, '')) as experiment
  from runs r
  left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
  where r.tenant_id = @tenant
    and coalesce(r.started_at, r.created_at, @from) < @to
    and (r.ended_at is null or r.ended_at > @from)
) i
where i.experiment is not null
