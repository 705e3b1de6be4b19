-- Figures of bills are added up by lineage (fact posted): days of parts that become
-- another bill's are added up again.
with moved as (
  update parts p set delivery_id = $2
  from deliveries o, deliveries n
  where o.tenant_id = $1 and o.delivery_id = p.delivery_id and n.tenant_id = $1 and n.delivery_id = $2
    and p.tenant_id = $1 and p.delivery_id = any ($3) and p.delivery_id <> $2 and not p.final and p.reverses is null
    and (p.charge_period is null or p.delivery_id = any ($4))
  returning p.hour, o.lineage <> n.lineage as another
)
insert into stale_days (tenant_id, day, what)
select distinct $1::int, date_trunc('day', hour, 'UTC'), 'ledger' from moved where another
