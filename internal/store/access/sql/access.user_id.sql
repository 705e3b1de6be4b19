-- By the name as it is written, else as it would be stored today.
select user_id, name from users where tenant_id = $1 and name in ($2, $3) order by name = $2 desc limit 1
