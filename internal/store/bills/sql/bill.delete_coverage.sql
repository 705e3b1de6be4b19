delete from coverage o
where o.tenant_id = $1 and not exists (select from next_coverage n where n.account = o.account)
