insert into :table
select n.* from next_:table n
where n.tenant_id = $1
  and not exists (select from :table o where o.tenant_id = n.tenant_id and o.:key = n.:key and row(n.*) is not distinct from row(o.*))
