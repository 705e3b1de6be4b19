-- Which runs that overlap the window are of which experiment, each of one.
select i.run_id, i.experiment
from (
  select r.run_id, coalesce(least(a.experiment, b.experiment), nullif(o.experiment, '')) as experiment
  from runs r
  left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
  left join (
    select q.run, min(q.experiment) as experiment from experiment_results q where q.tenant_id = @tenant and q.run <> '' group by q.run
  ) a on a.run = r.run_id
  left join (
    select q.run, min(q.experiment) as experiment from experiment_results q where q.tenant_id = @tenant and q.run <> '' group by q.run
  ) b on b.run = r.name
  where r.tenant_id = @tenant
    and coalesce(r.started_at, r.created_at, @from) < @to
    and (r.ended_at is null or r.ended_at > @from)
) i
where i.experiment is not null
