-- What is older than $5 counts no more.
with gone as (delete from sign_in_failures where tenant_id = $1 and at <= $5)
insert into sign_in_failures (tenant_id, name, address, at) values ($1, $2, $3, $4)
