-- Days on which these names were joined by rule are worked out again.
insert into analysis_days (tenant_id, step, day)
select distinct $1::int, $2::text, n.day
from served_names n
where n.tenant_id = $1 and n.served_name = any ($3) and n.joined_by <> 'policy'
on conflict do nothing
