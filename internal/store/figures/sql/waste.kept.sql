-- When findings of subjects were found first.
select finding_id, first_seen from findings
where tenant_id = $1 and (scope, subject_id) in (select * from unnest($2::text[], $3::uuid[]))
