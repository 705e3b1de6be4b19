with added as (
  insert into parts
  select n.* from next_parts n
  where n.tenant_id = $1
    and not exists (select from parts p where p.tenant_id = n.tenant_id and p.hour = n.hour and p.part_id = n.part_id)
  returning node_id, hour
)
insert into touched_parts select distinct node_id, date_trunc('day', hour, 'UTC') from added
