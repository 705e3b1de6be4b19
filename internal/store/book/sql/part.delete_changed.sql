-- Parts of lines of closed periods are decided about with their own export ($3).
with gone as (
  delete from parts p
  where p.tenant_id = $1 and p.delivery_id = any ($2) and not p.final and (p.charge_period is null or p.delivery_id = any ($3))
    and not exists (
      select from next_parts n
      where n.part_id = p.part_id and n.hour = p.hour
        and (n.charge_id, n.rate_id, n.number, n.kind, n.node_id, n.billing_period, n.currency, n.effective_cost, n.billed_cost, n.list_cost, n.contracted_cost, n.usage_seconds, n.method, n.quality, n.owner_id, n.posting_kind,
          n.billing_account, n.charge_period, n.reverses, n.replaces)
        is not distinct from (p.charge_id, p.rate_id, p.number, p.kind, p.node_id, p.billing_period, p.currency, p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.usage_seconds, p.method, p.quality, p.owner_id, p.posting_kind,
          p.billing_account, p.charge_period, p.reverses, p.replaces))
  returning p.node_id, p.hour
)
insert into touched_parts select distinct node_id, date_trunc('day', hour, 'UTC') from gone
