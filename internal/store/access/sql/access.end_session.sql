with gone as (delete from sessions where tenant_id = $1 and digest = $2 returning user_id)
select u.name from gone join users u on u.tenant_id = $1 and u.user_id = gone.user_id
