-- Forgets the findings of subjects.
delete from findings
where tenant_id = $1 and (scope, subject_id) in (select * from unnest($2::text[], $3::uuid[]))
