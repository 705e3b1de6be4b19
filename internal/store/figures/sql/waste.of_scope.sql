-- All subjects of a scope that have findings.
select distinct scope, subject_id from findings where tenant_id = $1 and scope = $2
