insert into owners select * from next_owners where tenant_id = $1 on conflict do nothing
