-- Whose bill and period they are on, and whether they are final, goes along: a
-- posting that says otherwise than its part makes a group of its own.
with posted as (
  select part_id, hour, node_id, billing_account, billing_period, state = 'final' as final,
    sum(effective_cost) as effective_cost, sum(billed_cost) as billed_cost, sum(list_cost) as list_cost, sum(contracted_cost) as contracted_cost
  from postings
  where tenant_id = $1 and ($2::text is null or billing_period = $2)
  group by part_id, hour, node_id, billing_account, billing_period, state = 'final'
), cut as (
  select part_id, hour, charge_id, node_id, kind, billing_account, billing_period, final, effective_cost, billed_cost, list_cost, contracted_cost
  from parts
  where tenant_id = $1 and ($2::text is null or billing_period = $2)
)
select coalesce(c.part_id, p.part_id) as part_id, coalesce(c.hour, p.hour) as hour, coalesce(c.node_id, p.node_id) as node_id,
  c.charge_id, c.kind, p.part_id is null as unposted, c.billing_account, p.billing_account as posted_account, c.billing_period, p.billing_period as posted_period,
  c.final, p.final as posted_final,
  c.effective_cost as part_effective_cost, p.effective_cost as posted_effective_cost, c.billed_cost as part_billed_cost, p.billed_cost as posted_billed_cost, c.list_cost as part_list_cost, p.list_cost as posted_list_cost, c.contracted_cost as part_contracted_cost, p.contracted_cost as posted_contracted_cost
from cut c
full join posted p on p.part_id = c.part_id and p.hour = c.hour
where (c.part_id is null or p.part_id is null
    or (c.billing_account, c.billing_period, c.final) is distinct from (p.billing_account, p.billing_period, p.final)
    or (c.effective_cost, c.billed_cost, c.list_cost, c.contracted_cost) is distinct from (p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost))
  and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = coalesce(c.node_id, p.node_id, '00000000-0000-0000-0000-000000000000') and x.day = date_trunc('day', coalesce(c.hour, p.hour), 'UTC'))
limit 5
