-- What was posted of bill lines, by hour, for fact posted. Postings are added per part
-- first: parts know the delivery, which may be another tomorrow, of the same lineage.
-- Then come the lines of those parts: whoever starts from all lines of a delivery
-- meets all of its parts with each.
with booked as materialized (
  select p.*, b.delivery_id, b.charge_id, b.number
  from (
    select q.hour, q.part_id, max(q.state) as state,
           sum(q.effective_cost) as effective_cost, sum(q.billed_cost) as billed_cost,
           sum(q.list_cost) as list_cost, sum(q.contracted_cost) as contracted_cost
    from postings q where q.tenant_id = @tenant and q.charge_id is not null and q.hour >= @from and q.hour < @to
    group by q.hour, q.part_id
  ) p
  join parts b on b.tenant_id = @tenant and b.hour >= @from and b.hour < @to and b.hour = p.hour and b.part_id = p.part_id
)
select b.hour, d.lineage, s.account, s.billing_period, s.currency, b.state, b.effective_cost, b.billed_cost, b.list_cost, b.contracted_cost,
       coalesce(a.lines, 1) * (b.number = 0)::int as lines
from booked b
join deliveries d on d.tenant_id = @tenant and d.delivery_id = b.delivery_id
join charge_rows r on r.tenant_id = @tenant and r.delivery = d.number and r.charge_id = b.charge_id
join charge_scopes s on s.tenant_id = @tenant and s.delivery = d.number and s.scope = r.scope
left join charge_aggregates a on a.tenant_id = @tenant and a.delivery = d.number and a.charge_id = b.charge_id
