-- Sign-ins that failed since $4: of the name from the address, and of any name from there.
select count(*) filter (where name = $2), count(*) from sign_in_failures
where tenant_id = $1 and address = $3 and at > $4
