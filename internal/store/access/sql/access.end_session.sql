-- Whose it was, and as whom he saw.
with gone as (delete from sessions where tenant_id = $1 and digest = $2 returning user_id, as_user_id)
select u.name, coalesce(o.name, '') from gone
join users u on u.tenant_id = $1 and u.user_id = gone.user_id
left join users o on o.tenant_id = $1 and o.user_id = gone.as_user_id
