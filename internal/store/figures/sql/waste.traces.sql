-- All days of subjects.
select d.scope, d.subject_id, d.day, d.trace
from unnest($2::text[], $3::uuid[]) as k (scope, subject_id)
join waste_days d on d.tenant_id = $1 and d.scope = k.scope and d.subject_id = k.subject_id
order by d.scope, d.subject_id, d.day
