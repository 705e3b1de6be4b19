delete from :table o
where o.tenant_id = $1
  and not exists (select from next_:table n where n.:key = o.:key and row(n.*) is not distinct from row(o.*))
