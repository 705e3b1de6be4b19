-- The datasets of FOCUS next to CostAndUsage: months, lines of invoices, and contract commitments. They read whole
-- bills, so scoped users cannot query them.

-- name: report.focus_billing_period
-- Months of issuers that have posted charges (docs/figures.md, 31.9). Both dates are those of our records.
select x.issuer as "InvoiceIssuerName", b.starts as "BillingPeriodStart", b.ends as "BillingPeriodEnd",
  case when bool_and(coalesce(z.state, 'open') = 'closed') then 'Closed' else 'Open' end as "BillingPeriodStatus",
  min(x.first_published) as "BillingPeriodCreated", max(@focus_updated) as "BillingPeriodLastUpdated"
from (
  select @focus_issuer as issuer, l.billing_account, n.month, min(l.first_published) as first_published,
    max(l.published_at) as updated
  from (@focus_lines) l
  join (select distinct c.delivery_id, c.charge_id, c.month from (@focus_months) c) n
    on n.delivery_id = l.delivery_id and n.charge_id = l.charge_id
  group by 1, 2, 3
) x
cross join lateral (@focus_bounds) b
left join period_states z on z.tenant_id = @tenant and z.calendar = 'billing' and z.name = x.month
  and z.billing_account = x.billing_account
left join lateral (@focus_closings) t on true
group by 1, 2, 3

-- name: report.focus_bounds
-- Start and end of the month of a row x.
select (x.month || '-01')::timestamp at time zone 'UTC' as starts,
  ((x.month || '-01')::timestamp + interval '1 month') at time zone 'UTC' as ends

-- name: report.focus_closings
-- When the month of a row x was last closed, and reopened, for its billing account.
select max(y.closed_at) as closed_at, max(y.reopened_at) as reopened_at
from statements y
where y.tenant_id = @tenant and y.billing_account = x.billing_account and y.billing_period = x.month

-- name: report.focus_updated
-- The last change of a row x: a bill that is imported again changes nothing in a closed month.
greatest(case when z.state = 'closed' then null else x.updated end, t.closed_at, t.reopened_at)

-- name: report.focus_contract_commitment
-- Commitments that lines of bills name (docs/figures.md, 31.10). A commitment that is billed in several currencies has
-- the row of its newest bill.
with lines as (
@focus_lines
), months as materialized (
@focus_all_months
), summed as (
  select m.delivery_id, m.charge_id, m.kind, sum(m.effective_cost) as effective_cost, sum(m.billed_cost) as billed_cost,
    sum(m.list_cost) as list_cost, sum(m.contracted_cost) as contracted_cost
  from months m
  group by 1, 2, 3
), newest as (
  select l.billing_account, max(m.month) as month
  from (select distinct c.delivery_id, c.charge_id, c.month from months c) m
  join lines l on l.delivery_id = m.delivery_id and l.charge_id = m.charge_id
  group by 1
), named as (
  select l.delivery_id, l.charge_id, i.commitment, max(i.contract) as contract
  from lines l
  cross join lateral (
    select l.commitment_id as commitment, null as contract where l.commitment_id <> ''
    union all
    select e.element ->> 'ContractCommitmentId', e.element ->> 'ContractId'
    from jsonb_path_query((l.columns ->> 'ContractApplied')::jsonb, 'lax $.Elements[*]') e (element)
    where e.element ->> 'ContractCommitmentId' <> ''
  ) i
  group by 1, 2, 3
), costs as (
  select l.delivery_id, l.charge_id, l.commitment_id as commitment,
    sum(v.billed_cost) filter (where v.category = 'Purchase' and f.often) as recurring,
    sum(v.billed_cost) filter (where v.category = 'Purchase' and not f.often) as once,
    sum(v.effective_cost) filter (where v.category = 'Usage') as used
  from summed n
  join lines l on l.delivery_id = n.delivery_id and l.charge_id = n.charge_id and l.commitment_id <> ''
  cross join lateral (select coalesce(l.columns ->> 'ChargeFrequency', '') = 'Recurring' as often) f
  cross join lateral (
@focus_kinds
  ) v
  group by 1, 2, 3
), commitments as (
  select n.commitment, l.currency, max(n.contract) as contract,
    coalesce(min(l.charge_start) filter (where t.whole), min(l.charge_start)) as starts,
    coalesce(max(l.charge_end) filter (where t.whole), max(l.charge_end)) as ends, bool_or(t.whole) as dated,
    min(l.first_published) as created, max(l.published_at) as updated, max(l.columns ->> 'CommitmentDiscountCategory')
      as category, max(l.columns ->> 'CommitmentDiscountType') as type,
    coalesce(max(l.columns ->> 'CommitmentDiscountName'), max(l.description) filter (where l.category = 'Purchase'))
      as description,
    max(substring(l.description from '([0-9]+)[ -]?(?:yr|[Yy]ear)')) as years, max(@focus_issuer) as issuer,
    max(@focus_provider) as provider, max(w.month) as newest,
    jsonb_agg(distinct l.billing_account order by l.billing_account) as accounts,
    coalesce(sum(c.recurring), 0) as recurring, coalesce(sum(c.once), 0) as once, sum(c.used) as used,
    sum(l.quantities[3]) filter (where l.category = 'Purchase') as quantity,
    max(l.columns ->> 'CommitmentDiscountUnit') as unit
  from named n
  join lines l on l.delivery_id = n.delivery_id and l.charge_id = n.charge_id
  -- a purchase of more than a month is of the whole term
  cross join lateral (
    select l.category = 'Purchase' and l.charge_end - l.charge_start > interval '32 days' as whole
  ) t
  left join newest w on w.billing_account = l.billing_account
  left join costs c on c.delivery_id = n.delivery_id and c.charge_id = n.charge_id and c.commitment = n.commitment
  group by 1, 2
)
select distinct on (k.commitment) k.commitment as "ContractCommitmentId",
  coalesce(k.contract, k.commitment) as "ContractId", k.currency as "BillingCurrency",
  jsonb_build_object('InclusionOperator', 'And', 'Inclusions', jsonb_build_array(jsonb_build_object('Dimension',
    'BillingAccountId', 'Operator', 'In', 'Values', k.accounts)))::text as "ContractCommitmentApplicability",
  case when concat(y.type, ' ', k.commitment) ~* 'capacity.?(reservation|block)s?\y' then 'Availability'
    else 'Discount' end as "ContractCommitmentBenefitCategory",
  coalesce(k.category, 'Usage') as "ContractCommitmentCategory",
  p.cost as "ContractCommitmentCost", k.created as "ContractCommitmentCreated",
  k.description as "ContractCommitmentDescription", null::numeric as "ContractCommitmentDiscountPercentage",
  coalesce(d.years || case d.years when 1 then ' Year' else ' Years' end,
    d.days || case d.days when 1 then ' Day' else ' Days' end) as "ContractCommitmentDurationType",
  'Hourly' as "ContractCommitmentFulfillmentInterval", k.updated as "ContractCommitmentLastUpdated",
  case when to_char(k.ends at time zone 'UTC' - interval '1 second', 'YYYY-MM') < k.newest then 'Expired'
    else 'Active' end as "ContractCommitmentLifecycleStatus",
  'Continuous' as "ContractCommitmentModel",
  case when k.contract is null then 'Public' else 'Negotiated' end as "ContractCommitmentOfferCategory",
  case when p.upfront = 1 then 'One-Time' else 'Monthly' end as "ContractCommitmentPaymentInterval",
  case p.upfront when 0 then 'No Upfront' when 1 then 'All Upfront' else 'Partial Upfront' end
    as "ContractCommitmentPaymentModel",
  p.upfront as "ContractCommitmentPaymentUpfrontPercentage",
  k.ends as "ContractCommitmentPeriodEnd", k.starts as "ContractCommitmentPeriodStart",
  q.quantity as "ContractCommitmentQuantity", y.type as "ContractCommitmentType",
  case when q.quantity is not null then coalesce(k.unit, 'Units') end as "ContractCommitmentUnit",
  k.ends as "ContractPeriodEnd", k.starts as "ContractPeriodStart",
  k.issuer as "InvoiceIssuerName", k.provider as "ServiceProviderName",
  concat_ws(' ', case when not p.bought then 'ContractCommitmentCost' end,
    case when d.years is null then 'ContractCommitmentDurationType' end,
    case when not p.bought then 'ContractCommitmentPaymentInterval ContractCommitmentPaymentModel '
      'ContractCommitmentPaymentUpfrontPercentage' end,
    case when not k.dated then 'ContractCommitmentPeriodEnd ContractCommitmentPeriodStart' end,
    'ContractPeriodEnd ContractPeriodStart') as "x_AssumedColumns"
from commitments k
cross join lateral (select coalesce(k.type, 'Commitment') as type) y
cross join lateral (
  select k.recurring + k.once <> 0 as bought, case when k.recurring + k.once <> 0 then k.recurring + k.once
      else coalesce(k.used, 0) end as cost,
    -- of purchases that take each other back, no share is above 1
    case when k.once <= 0 then 0 when k.recurring <= 0 then 1 else round(k.once / (k.once + k.recurring), 12) end
      as upfront
) p
cross join lateral (
  select greatest(1, round(extract(epoch from k.ends - k.starts) / 86400)::int) as days
) i
cross join lateral ( -- leap days apart
  select i.days, coalesce(k.years::int, case when i.days >= 364 and i.days % 365 in (0, 1, 364) then
    round(i.days / 365.0)::int end) as years
) d
cross join lateral (
  select case when coalesce(k.category, 'Usage') = 'Usage' then k.quantity end as quantity
) q
where @billing_period is null or k.commitment in (
  select i.commitment from named i
  join months m on m.delivery_id = i.delivery_id and m.charge_id = i.charge_id and m.month = @billing_period)
order by k.commitment, k.updated desc, k.currency

-- name: report.focus_invoice_detail
-- Lines of invoices: charges of FOCUS by issuer, invoice, payer, currency, month and category (docs/figures.md, 31.7).
with lines as (
@focus_lines
), months as materialized (
@focus_months
), summed as (
  select m.delivery_id, m.charge_id, m.month, m.kind, sum(m.effective_cost) as effective_cost,
    sum(m.billed_cost) as billed_cost, sum(m.list_cost) as list_cost, sum(m.contracted_cost) as contracted_cost
  from months m
  group by 1, 2, 3, 4
), carried as (
  select l.billing_account, l.currency, n.month, bool_or(n.billed_cost is not null) as billed
  from summed n
  join lines l on l.delivery_id = n.delivery_id and l.charge_id = n.charge_id
  group by 1, 2, 3
), charged as (
  select @focus_issuer as issuer, l.columns ->> 'InvoiceId' as invoice, @focus_invoice_line as line, l.billing_account,
    l.currency, n.month, v.category, l.first_published, l.published_at, @focus_billed as billed_cost
  from summed n
  join lines l on l.delivery_id = n.delivery_id and l.charge_id = n.charge_id
  join carried c on c.billing_account = l.billing_account and c.currency = l.currency and c.month = n.month
  cross join lateral (
@focus_kinds
  ) v
  cross join lateral (
    select n.month, v.category, v.effective_cost, v.billed_cost, v.list_cost, v.contracted_cost
  ) s
  where l.columns ->> 'InvoiceId' is not null
), billed as (
  select h.issuer, h.invoice, h.line, h.billing_account, h.currency, h.month, h.category,
    sum(h.billed_cost) as billed_cost, min(h.first_published) as created, max(h.published_at) as updated
  from charged h
  group by 1, 2, 3, 4, 5, 6, 7
)
select x.billed_cost as "BilledCost", x.billing_account as "BillingAccountId", x.currency as "BillingCurrency",
  b.ends as "BillingPeriodEnd", b.starts as "BillingPeriodStart", x.category as "ChargeCategory",
  x.created as "InvoiceDetailCreated",
  concat(x.category, ' of account ', x.billing_account, ' in ', x.month) as "InvoiceDetailDescription",
  jsonb_build_object('x_BillingAccountId', x.billing_account, 'x_BillingCurrency', x.currency, 'x_BillingPeriod',
    x.month, 'x_ChargeCategory', x.category)::text as "InvoiceDetailGrain",
  x.line as "InvoiceDetailId", @focus_updated as "InvoiceDetailLastUpdated",
  x.invoice as "InvoiceId", null::timestamptz as "InvoiceIssueDate",
  case when z.state = 'closed' then 'Issued' else 'Open' end as "InvoiceIssueStatus", x.issuer as "InvoiceIssuerName",
  null::timestamptz as "PaymentDueDate", 'Not stated' as "PaymentTerms", x.invoice as "ReferenceInvoiceId"
from billed x
cross join lateral (@focus_bounds) b
left join period_states z on z.tenant_id = @tenant and z.calendar = 'billing' and z.name = x.month
  and z.billing_account = x.billing_account
left join lateral (@focus_closings) t on true
