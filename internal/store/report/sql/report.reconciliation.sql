-- Control totals of current deliveries against what was posted from their
-- charges. Postings are added per part first: parts know the delivery. Charges
-- are counted by scope and item, of which there are few.
with posted as (
  select b.delivery_id, b.charge_id, max(p.state) as state,
         sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost,
         sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost
  from (
    select q.hour, q.part_id, max(q.state) as state,
           sum(q.effective_cost) as effective_cost, sum(q.billed_cost) as billed_cost,
           sum(q.list_cost) as list_cost, sum(q.contracted_cost) as contracted_cost
    from postings q where q.tenant_id = @tenant and q.charge_id is not null
    group by q.hour, q.part_id
  ) p
  join parts b on b.tenant_id = @tenant and b.hour = p.hour and b.part_id = p.part_id
  group by b.delivery_id, b.charge_id
), lines as (
  select d.delivery_id, d.number, c.scope, c.item,
         sum(coalesce(a.lines, 1)) filter (where p.charge_id is null) as unposted_charges, max(p.state) as state,
         sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost,
         sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost
  from deliveries d
  cross join lateral (
    select r.charge_id, r.scope, r.item from charge_rows r where r.tenant_id = @tenant and r.delivery = d.number offset 0
  ) c
  left join posted p on p.delivery_id = d.delivery_id and p.charge_id = c.charge_id
  left join charge_aggregates a on a.tenant_id = @tenant and a.delivery = d.number and a.charge_id = c.charge_id
  where d.tenant_id = @tenant and d.state = 'current'
  group by d.delivery_id, d.number, c.scope, c.item
), accounts as (
  select l.delivery_id, s.account, s.billing_period, s.currency,
         min(i.provider) as provider, min(s.billing_account) as billing_account,
         coalesce(sum(l.unposted_charges) filter (where i.kind <> 'split'), 0)::bigint as unposted_charges, max(l.state) as state,
         sum(l.effective_cost) as effective_cost, sum(l.billed_cost) as billed_cost,
         sum(l.list_cost) as list_cost, sum(l.contracted_cost) as contracted_cost
  from lines l
  join charge_scopes s on s.tenant_id = @tenant and s.delivery = l.number and s.scope = l.scope
  join charge_items i on i.tenant_id = @tenant and i.delivery = l.number and i.item = l.item
  group by l.delivery_id, s.account, s.billing_period, s.currency
), totals as (
  select d.source, d.delivery_id, t.role, a.provider, a.billing_account, t.account, t.billing_period, t.currency, t.metric,
         t.source_total, t.charges, a.unposted_charges, a.state,
         coalesce(case t.metric when 'effective_cost' then a.effective_cost when 'billed_cost' then a.billed_cost
                                when 'list_cost' then a.list_cost else a.contracted_cost end, 0) as posted_total
  from control_totals t
  join deliveries d on d.tenant_id = @tenant and d.delivery_id = t.delivery_id and d.state = 'current'
  left join accounts a on a.delivery_id = t.delivery_id and a.account = t.account
    and a.billing_period = t.billing_period and a.currency = t.currency
  where t.tenant_id = @tenant and (@billing_period is null or t.billing_period = @billing_period)
)
select t.source, t.delivery_id, t.role, t.provider, t.billing_account, t.account, t.billing_period, t.currency, t.metric, t.source_total,
       case when t.role = 'book' then t.posted_total end as posted_total,
       case when t.role = 'book' then t.source_total - t.posted_total end as difference,
       t.charges, case when t.role = 'book' then coalesce(t.unposted_charges, t.charges) end as unposted_charges,
       coalesce(t.state, 'open') as state,
       case when t.role = 'evidence' then t.source_total - book.source_total end as evidence_gap
from totals t
left join (
  select b.account, b.billing_period, b.currency, b.metric, sum(b.source_total) as source_total
  from totals b where b.role = 'book' group by 1, 2, 3, 4
) book using (account, billing_period, currency, metric)
