-- As part.take_over, of lines that stayed the same in a closed period.
with moved as (
  update parts p set delivery_id = $2
  from closed_charges c, deliveries o, deliveries n
  where o.tenant_id = $1 and o.delivery_id = p.delivery_id and n.tenant_id = $1 and n.delivery_id = $2
    and p.tenant_id = $1 and p.charge_id = c.charge_id and c.same and p.final and p.delivery_id = any ($3) and p.delivery_id <> $2
  returning p.hour, o.lineage <> n.lineage as another
)
insert into stale_days (tenant_id, day, what)
select distinct $1::int, date_trunc('day', hour, 'UTC'), 'ledger' from moved where another
