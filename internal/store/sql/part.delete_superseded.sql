with gone as (
  delete from parts p
  where p.tenant_id = $1 and p.delivery_id in (
    select d.delivery_id from deliveries d
    where d.tenant_id = $1 and d.delivery_id <> $2
      and not (d.state = 'current' and exists (
        select from control_totals t where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id and t.role = 'book')))
  returning p.node_id, p.hour
)
insert into touched_parts select distinct node_id, date_trunc('day', hour, 'UTC') from gone
