with gone as (
  delete from parts p
  where p.tenant_id = $1 and p.delivery_id = $2
    and not exists (select from next_parts n where n.part_id = p.part_id and n.hour = p.hour and row(n.*) is not distinct from row(p.*))
  returning p.node_id, p.hour
)
insert into touched_parts select distinct node_id, date_trunc('day', hour, 'UTC') from gone
