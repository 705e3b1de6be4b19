-- Final parts of a line that is gone, or changed, are taken back once.
insert into next_parts (tenant_id, part_id, charge_id, delivery_id, number, kind, node_id, hour, billing_period, currency,
  effective_cost, billed_cost, list_cost, contracted_cost, method, quality, owner_id, posting_kind, billing_account, charge_period, final, reverses)
select p.tenant_id, md5('reversal:' || p.part_id || ':' || extract(epoch from p.hour)::bigint)::uuid, p.charge_id, p.delivery_id, p.number, p.kind, p.node_id, p.hour, c.open_period, p.currency,
  -p.effective_cost, -p.billed_cost, -p.list_cost, -p.contracted_cost, p.method, p.quality, p.owner_id, 'adjustment', p.billing_account,
  coalesce(p.charge_period, p.billing_period), false, p.part_id
from closed_charges c
join parts p on p.tenant_id = $1 and p.charge_id = c.charge_id and p.final and p.delivery_id = any ($2)
where c.final and not c.same and p.reverses is null
  and not exists (
    select from parts r
    where r.tenant_id = p.tenant_id and r.charge_id = p.charge_id and r.final and r.reverses = p.part_id and r.hour = p.hour)
