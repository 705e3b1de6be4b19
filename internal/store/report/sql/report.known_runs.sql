-- Runs that overlap the window, by names that are the same in all rows of a run.
select r.run_id, nullif(r.group_id, '') as group_id, nullif(r.group_id, '') as "group", nullif(r.cluster, '') as cluster, nullif(r.namespace, '') as namespace,
       nullif(r.root_kind, '') as workload_kind, r.kind, r.kind as run_kind, r.name, r.status, @owner_columns
from runs r
left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
where r.tenant_id = @tenant and coalesce(r.started_at, r.created_at, @asked_from) < @asked_to and (r.ended_at is null or r.ended_at > @asked_from)
