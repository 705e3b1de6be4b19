-- Control totals of current deliveries against what was posted from their
-- charges. Charges are counted by scope and item, of which there are few.
with posted as (
  select p.lineage, p.account, p.billing_period, p.currency, max(p.state) as state, sum(p.lines) as lines,
         sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost,
         sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost
  from (
@posted_rows
  ) p
  group by p.lineage, p.account, p.billing_period, p.currency
), delivered as (
  select d.delivery_id, d.lineage, s.account, s.billing_period, s.currency, min(i.provider) as provider, min(s.billing_account) as billing_account,
         sum(c.lines) filter (where i.kind <> 'split') as lines
  from deliveries d
  cross join lateral (
    select r.scope, r.item, sum(coalesce(a.lines, 1)) as lines
    from charge_rows r
    left join charge_aggregates a on a.tenant_id = @tenant and a.delivery = d.number and a.charge_id = r.charge_id
    where r.tenant_id = @tenant and r.delivery = d.number
    group by r.scope, r.item
  ) c
  join charge_scopes s on s.tenant_id = @tenant and s.delivery = d.number and s.scope = c.scope
  join charge_items i on i.tenant_id = @tenant and i.delivery = d.number and i.item = c.item
  where d.tenant_id = @tenant and d.state = 'current'
  group by d.delivery_id, d.lineage, s.account, s.billing_period, s.currency
), accounts as (
  select l.delivery_id, l.account, l.billing_period, l.currency, l.provider, l.billing_account,
         (coalesce(l.lines, 0) - coalesce(p.lines, 0))::bigint as unposted_charges,
         p.state, p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost
  from delivered l
  left join posted p on p.lineage = l.lineage and p.account = l.account and p.billing_period = l.billing_period and p.currency = l.currency
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
