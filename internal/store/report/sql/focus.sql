-- Datasets of the FinOps Open Cost and Usage Specification (FOCUS).

-- name: report.focus_cost_and_usage
-- Charges of FOCUS: lines of bills by part, holder and cause (docs/figures.md, 31). Totals of lines and of their parts
-- are those of all owners: they only give the share of visible postings.
with lines as (
  select d.delivery_id, l.*, @focus_buys as buys,
    case when l.quantities is null then l.usage_amount else l.quantities[1] end as pricing,
    case when l.quantities is null then l.usage_amount else l.quantities[2] end as consumed
  from delivery_words d
  cross join lateral ( -- offset 0: by number, so that replaced deliveries are not read
    select * from focus_lines x
    where x.tenant_id = @tenant and x.delivery = d.number
      and (@from = '-infinity' or x.charge_start >= @from) and (@to = 'infinity' or x.charge_start < @to)
    offset 0
  ) l
  where d.tenant_id = @tenant
    and d.delivery_id in (select z.delivery_id from focus_parts z where z.tenant_id = @tenant)
), contracts as (
  select e.element ->> 'ContractCommitmentId' as commitment, max(e.element ->> 'ContractId') as contract
  from lines l
  cross join lateral jsonb_path_query((l.columns ->> 'ContractApplied')::jsonb, 'lax $.Elements[*]') e (element)
  where l.columns ? 'ContractApplied'
  group by 1
), cut as materialized (
@focus_months
), summed as (
  select n.delivery_id, n.charge_id, n.month, n.kind, n.corrects, n.reverses, max(n.replaced::text) as replaced,
    sum(n.effective_cost) as effective_cost, sum(n.billed_cost) as billed_cost, sum(n.list_cost) as list_cost,
    sum(n.contracted_cost) as contracted_cost
  from cut n
  group by 1, 2, 3, 4, 5, 6
), origin as (
  select @focus_origin as origin_id, max(n.replaced)::uuid as replaced,
    sum(v.effective_cost) as effective_cost, sum(v.billed_cost) as billed_cost, sum(v.list_cost) as list_cost,
    sum(v.contracted_cost) as contracted_cost
  from summed n
  join lines l on l.delivery_id = n.delivery_id and l.charge_id = n.charge_id
  cross join lateral (
@focus_kinds
  ) v
  group by 1
), carried as (
  select l.billing_account, l.currency, n.month,
    bool_or(n.effective_cost is not null) as effective, bool_or(n.billed_cost is not null) as billed,
    bool_or(n.list_cost is not null) as list, bool_or(n.contracted_cost is not null) as contracted
  from summed n
  join lines l on l.delivery_id = n.delivery_id and l.charge_id = n.charge_id
  group by 1, 2, 3
), posted as (
  select n.delivery_id, n.charge_id, n.month, n.kind, n.corrects, n.reverses, p.owner_id, p.workload_id, p.run_id,
    p.cause, min(p.policy_version) as policy_from, max(p.policy_version) as policy_to,
    sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost,
    sum(p.contracted_cost) as contracted_cost
  from postings p
  join cut n on n.hour = p.hour and n.part_id = p.part_id
  where p.tenant_id = @tenant and p.state <> 'provisional'
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
), shown as (
  select @focus_origin as origin_id, n.delivery_id, n.charge_id, n.month, n.corrects, n.reverses, v.category, v.status,
    v.spread, h.resource, h.tags, n.cause, max(h.name) as name,
    min(n.policy_from) as policy_from, max(n.policy_to) as policy_to,
    sum(v.effective_cost) as effective_cost, sum(v.billed_cost) as billed_cost, sum(v.list_cost) as list_cost,
    sum(v.contracted_cost) as contracted_cost
  from posted n
  join lines l on l.delivery_id = n.delivery_id and l.charge_id = n.charge_id
  cross join lateral (
@focus_kinds
  ) v
  left join owners o on o.tenant_id = @tenant and o.owner_id = n.owner_id
  left join workloads w on w.tenant_id = @tenant and w.workload_id = n.workload_id
  left join runs r on r.tenant_id = @tenant and r.run_id = n.run_id
  left join lateral (
    select coalesce(nullif(concat_ws('/', nullif(w.cluster, ''), nullif(w.namespace, ''), nullif(w.name, '')), ''),
        nullif(n.run_id, ''), @owner_holder) as resource,
      coalesce(nullif(w.name, ''), nullif(r.name, ''), nullif(n.run_id, ''), @owner_holder) as name,
      @owner_tags as tags
    where n.cause <> 'non_gpu'
  ) h on true
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
)
select l.columns ->> 'BillingAccountName' as "BillingAccountName", l.billing_account as "BillingAccountId",
  coalesce(l.columns ->> 'BillingAccountType', 'Billing Account') as "BillingAccountType",
  coalesce(l.columns ->> 'SubAccountId', nullif(l.account, l.billing_account)) as "SubAccountId",
  case when coalesce(l.columns ->> 'SubAccountId', nullif(l.account, l.billing_account)) is not null
    then l.columns ->> 'SubAccountName' end as "SubAccountName",
  case when coalesce(l.columns ->> 'SubAccountId', nullif(l.account, l.billing_account)) is not null
    then l.columns ->> 'SubAccountType' end as "SubAccountType",
  l.currency as "BillingCurrency",
  (s.month || '-01')::timestamp at time zone 'UTC' as "BillingPeriodStart",
  ((s.month || '-01')::timestamp + interval '1 month') at time zone 'UTC' as "BillingPeriodEnd",
  l.charge_start as "ChargePeriodStart", l.charge_end as "ChargePeriodEnd",
  s.category as "ChargeCategory",
  case when s.corrects then 'Correction' else nullif(l.class, '') end as "ChargeClass",
  nullif(l.description, '') as "ChargeDescription",
  case when s.spread then 'Usage-Based' else coalesce(l.columns ->> 'ChargeFrequency',
    case s.category when 'Usage' then 'Usage-Based' else 'One-Time' end) end as "ChargeFrequency",
  m.effective_cost as "EffectiveCost", m.billed_cost as "BilledCost", m.list_cost as "ListCost",
  m.contracted_cost as "ContractedCost",
  coalesce(l.columns ->> 'PricingCurrency', l.currency) as "PricingCurrency",
  coalesce(case when coalesce(m.effective_portion, m.portion) = 1 then l.quantities[4]
    else round(l.quantities[4] * coalesce(m.effective_portion, m.portion), 12) end, m.effective_cost)
    as "PricingCurrencyEffectiveCost",
  u.pricing as "PricingQuantity",
  case when u.pricing is not null then coalesce(l.columns ->> 'PricingUnit', nullif(l.usage_unit, ''), 'Units') end
    as "PricingUnit",
  u.consumed as "ConsumedQuantity",
  case when u.consumed is not null then coalesce(l.columns ->> 'ConsumedUnit', nullif(l.usage_unit, ''), 'Units') end
    as "ConsumedUnit",
  case when s.category = 'Tax' then null when s.category = 'Usage' and l.commitment_id <> '' then 'Committed'
    else coalesce(l.columns ->> 'PricingCategory',
      case when s.category in ('Usage', 'Purchase') then 'Standard' end) end
    as "PricingCategory",
  case when s.category <> 'Tax' and s.list_cost is not null then (l.columns ->> 'ListUnitPrice')::numeric end
    as "ListUnitPrice",
  case when s.category <> 'Tax' and s.contracted_cost is not null
    then (l.columns ->> 'ContractedUnitPrice')::numeric end as "ContractedUnitPrice",
  (l.columns ->> 'PricingCurrencyListUnitPrice')::numeric as "PricingCurrencyListUnitPrice",
  (l.columns ->> 'PricingCurrencyContractedUnitPrice')::numeric as "PricingCurrencyContractedUnitPrice",
  nullif(l.commitment_id, '') as "CommitmentDiscountId",
  case when l.commitment_id <> '' then coalesce(l.columns ->> 'CommitmentDiscountCategory', 'Usage') end
    as "CommitmentDiscountCategory",
  case when l.commitment_id <> '' then coalesce(l.columns ->> 'CommitmentDiscountType', 'Commitment') end
    as "CommitmentDiscountType",
  case when l.commitment_id <> '' then l.columns ->> 'CommitmentDiscountName' end as "CommitmentDiscountName",
  case when l.commitment_id <> '' and s.category = 'Usage' then coalesce(s.status, 'Used') end
    as "CommitmentDiscountStatus",
  u.committed as "CommitmentDiscountQuantity",
  case when u.committed is not null then coalesce(l.columns ->> 'CommitmentDiscountUnit',
    case when l.columns ->> 'CommitmentDiscountCategory' = 'Spend' then l.currency end,
    l.columns ->> 'PricingUnit', nullif(l.usage_unit, ''), 'Units') end as "CommitmentDiscountUnit",
  l.columns ->> 'CommitmentProgramEligibilityDetails' as "CommitmentProgramEligibilityDetails",
  l.columns ->> 'CapacityReservationId' as "CapacityReservationId",
  case when l.columns ->> 'CapacityReservationId' is not null and s.category = 'Usage'
    then coalesce(l.columns ->> 'CapacityReservationStatus', s.status, 'Used') end as "CapacityReservationStatus",
  case when s.category = 'Usage' and l.commitment_id <> ''
      and (m.portion <> 1 or a.said is null)
    then jsonb_build_object('Elements', jsonb_build_array(jsonb_build_object(
      'ContractId', coalesce(k.contract, l.commitment_id), 'ContractCommitmentId', l.commitment_id,
      'ContractCommitmentAppliedCost', trim_scale(m.effective_cost))))::text
    when m.portion = 1 then a.said end as "ContractApplied",
  @focus_issuer as "InvoiceIssuerName",
  l.columns ->> 'InvoiceId' as "InvoiceId",
  @focus_invoice_line as "InvoiceDetailId",
  @focus_provider as "ServiceProviderName",
  l.columns ->> 'HostProviderName' as "HostProviderName",
  coalesce(l.columns ->> 'ProviderName', l.columns ->> 'ServiceProviderName', l.provider) as "ProviderName",
  coalesce(l.columns ->> 'PublisherName', l.columns ->> 'ServiceProviderName', l.provider) as "PublisherName",
  nullif(l.region, '') as "RegionId",
  coalesce(l.columns ->> 'RegionName', nullif(l.region, '')) as "RegionName", nullif(l.zone, '') as "AvailabilityZone",
  nullif(l.resource_id, '') as "ResourceId",
  case when l.resource_id <> '' then l.columns ->> 'ResourceName' end as "ResourceName",
  case when l.resource_id <> '' then l.columns ->> 'ResourceType' end as "ResourceType",
  coalesce(l.columns ->> 'ServiceCategory', 'Other') as "ServiceCategory",
  coalesce(l.columns ->> 'ServiceSubcategory', 'Other (' || coalesce(l.columns ->> 'ServiceCategory', 'Other') || ')')
    as "ServiceSubcategory",
  coalesce(nullif(l.service_name, ''), nullif(l.service_code, ''), l.provider) as "ServiceName",
  l.columns ->> 'SkuId' as "SkuId", l.columns ->> 'SkuMeter' as "SkuMeter",
  l.columns ->> 'SkuPriceId' as "SkuPriceId",
  l.columns ->> 'SkuPriceDetails' as "SkuPriceDetails",
  coalesce(l.columns ->> 'Tags', g.tags::text) as "Tags",
  case when s.cause <> 'non_gpu' then case when s.from_policy = s.to_policy then s.from_policy
    else s.from_policy || ' ' || s.to_policy end end as "AllocatedMethodId",
  -- the share of a line that others pay, too, would tell its cost
  case when s.cause <> 'non_gpu' and (m.share = 1 or @unscoped) then jsonb_build_object('Elements', jsonb_build_array(
    jsonb_build_object('AllocatedRatio', trim_scale(m.share))))::text end as "AllocatedMethodDetails",
  s.resource as "AllocatedResourceId", case when s.resource is not null then s.name end as "AllocatedResourceName",
  case when s.resource is not null then s.tags end as "AllocatedTags",
  s.charge_id as "x_ChargeId", s.origin_id as "x_OriginId", s.cause as "x_Cause",
  nullif(concat_ws(' ', case when s.billed_cost is null and not c.billed then 'BilledCost' end,
    case when s.contracted_cost is null and not c.contracted then 'ContractedCost' end,
    case when s.effective_cost is null and not c.effective then 'EffectiveCost' end,
    case when s.list_cost is null and not c.list then 'ListCost' end), '') as "x_AssumedColumns",
  l.aggregated as "x_Aggregated",
  case when s.reverses then s.charge_id when s.corrects then o.replaced end as "x_CorrectsChargeId"
from (
  select s.*, count(*) over w as rows_of_origin, min(s.policy_from) over w as from_policy,
    max(s.policy_to) over w as to_policy
  from shown s
  window w as (partition by s.origin_id)
) s
join origin o on o.origin_id = s.origin_id
join lines l on l.delivery_id = s.delivery_id and l.charge_id = s.charge_id
join carried c on c.billing_account = l.billing_account and c.currency = l.currency and c.month = s.month
left join charge_tags g on g.tenant_id = @tenant and g.delivery = l.delivery and g.tag_set = l.tag_set
left join contracts k on k.commitment = l.commitment_id
left join lateral ( -- what FOCUS 1.3 has there has another form
  select l.columns ->> 'ContractApplied' as said
  where jsonb_path_exists((l.columns ->> 'ContractApplied')::jsonb, 'lax $.Elements[*].ContractCommitmentId')
) a on true
cross join lateral (
  select @focus_billed as billed_cost
) b
cross join lateral (
  select b.billed_cost,
    coalesce(s.effective_cost, case when c.effective then 0 else b.billed_cost end) as effective_cost,
    coalesce(s.list_cost, case when c.list then 0 else b.billed_cost end) as list_cost,
    coalesce(s.contracted_cost, case when c.contracted then 0 else b.billed_cost end) as contracted_cost,
    round(coalesce(coalesce(s.effective_cost, 0) / nullif(o.effective_cost, 0),
      coalesce(s.billed_cost, 0) / nullif(o.billed_cost, 0), coalesce(s.list_cost, 0) / nullif(o.list_cost, 0),
      1.0 / s.rows_of_origin), 18) as share,
    round(s.effective_cost / nullif(l.effective_cost, 0), 18) as effective_portion,
    case when s.spread then 0 else round(coalesce(s.list_cost / nullif(l.list_cost, 0),
      s.contracted_cost / nullif(l.contracted_cost, 0), s.billed_cost / nullif(l.billed_cost, 0),
      s.effective_cost / nullif(l.effective_cost, 0), 1.0 / s.rows_of_origin), 18) end as portion
) m
cross join lateral (
  select case when l.aggregated or s.category = 'Tax' then null when s.spread then 0
      when m.portion = 1 then l.pricing else round(l.pricing * m.portion, 12) end as pricing,
    case when l.aggregated or s.category <> 'Usage' or s.status = 'Unused' and l.commitment_id <> '' then null
      when s.spread then 0
      when m.portion = 1 then l.consumed else round(l.consumed * m.portion, 12) end as consumed
) q
cross join lateral (
  select q.pricing, q.consumed,
    case when l.aggregated or coalesce(l.commitment_id, '') = '' or s.category not in ('Usage', 'Purchase') then null
      when m.portion = 1 and l.quantities[3] is not null then l.quantities[3]
      else coalesce(round(l.quantities[3] * m.portion, 12),
        case when l.columns ->> 'CommitmentDiscountCategory' is distinct from 'Spend' then q.pricing
          when s.category = 'Purchase' then m.billed_cost else m.effective_cost end) end as committed
) u
-- Rows without any cost show a holder of lines that cost nothing, and else nothing.
where coalesce(s.effective_cost, 0) <> 0 or coalesce(s.billed_cost, 0) <> 0 or coalesce(s.list_cost, 0) <> 0
  or coalesce(s.contracted_cost, 0) <> 0
  or (coalesce(o.effective_cost, 0), coalesce(o.billed_cost, 0), coalesce(o.list_cost, 0),
    coalesce(o.contracted_cost, 0)) = (0, 0, 0, 0)

-- name: report.focus_billed
-- The billed cost of a charge s; one that no delivery of the account's month carries is assumed (docs/figures.md, 31.5).
coalesce(s.billed_cost, case when c.billed then 0 else coalesce(s.effective_cost, s.contracted_cost, s.list_cost, 0) end)

-- name: report.focus_buys
-- Whether a line l buys a commitment or capacity, which is spread over its use (docs/figures.md, 31.2).
(l.category = 'Purchase' and l.kind in ('commitment_fee', 'prepaid'))

-- name: report.focus_issuer
coalesce(l.columns ->> 'InvoiceIssuerName', l.provider)

-- name: report.focus_lines
-- Lines of bills that have parts, with the imports of their delivery and of the first one of its account and month.
-- offset 0: by number, so that other deliveries are not read.
select d.delivery_id, f.first_published, d.published_at, l.*, @focus_buys as buys
from deliveries d
cross join lateral (
  select min(e.published_at) as first_published from deliveries e
  where e.tenant_id = d.tenant_id and e.source = d.source and e.scope = d.scope and e.partition_key = d.partition_key
) f
cross join lateral (
  select * from focus_lines x where x.tenant_id = @tenant and x.delivery = d.number
  offset 0
) l
where d.tenant_id = @tenant
  and d.delivery_id in (select z.delivery_id from focus_parts z where z.tenant_id = @tenant)

-- name: report.focus_provider
coalesce(l.columns ->> 'ServiceProviderName', l.columns ->> 'ProviderName', l.provider)

-- name: report.focus_invoice_line
-- The invoice line of a charge (docs/figures.md, 31.7).
case when l.columns ->> 'InvoiceId' is not null then md5(concat_ws('|', @focus_issuer, l.columns ->> 'InvoiceId',
  l.billing_account, l.currency, s.month, s.category)) end

-- name: report.focus_kinds
-- The charges of FOCUS that a part n of a line l is: usually one. The purchase of a commitment has no effective cost;
-- the effective cost is what it was spread over, as use (docs/figures.md, 31.2).
  select l.category, case when l.category = 'Usage' then l.columns ->> 'CommitmentDiscountStatus' end as status,
    false as spread, case when n.kind = 'commitment_fee' then 'commitment_unused' else n.kind end as part,
    n.effective_cost, n.billed_cost, n.list_cost, n.contracted_cost
  where not l.buys
  union all
  select 'Purchase', null, false, n.kind, 0, n.billed_cost, n.list_cost, n.contracted_cost
  where l.buys and n.kind = 'commitment_fee'
  union all
  select 'Usage', case when n.kind in ('commitment_fee', 'commitment_unused') then 'Unused' else 'Used' end, true,
    n.kind, n.effective_cost, 0, 0, 0
  where l.buys and n.effective_cost <> 0

-- name: report.focus_months
-- Those of the billing period, if the query has one.
select a.* from (
@focus_all_months
) a
where @billing_period is null or a.month = @billing_period

-- name: report.focus_all_months
-- Parts of lines in the month of their postings (docs/figures.md, 31.6): fees that amortise in later hours are in the
-- month of these (docs/rules.md, 13.3).
  select b.delivery_id, b.charge_id, b.hour, b.part_id, b.kind, b.posting_kind = 'adjustment' as corrects,
    b.reverses is not null as reverses, r.charge_id as replaced, m.month,
    b.effective_cost, b.billed_cost, b.list_cost, b.contracted_cost
  from focus_parts b
  left join focus_parts r on r.tenant_id = @tenant and r.hour = b.hour and r.part_id = b.replaces
  cross join lateral (select case when b.posting_kind = 'amortise'
    then greatest(b.billing_period, to_char(b.hour at time zone 'UTC', 'YYYY-MM')) else b.billing_period end as month) m
  where b.tenant_id = @tenant and b.charge_id is not null

-- name: report.focus_origin
-- The id of an origin charge of FOCUS: line, part, category, status, correction, month.
md5(concat_ws('|', n.charge_id, n.month, n.corrects, n.reverses, v.part, v.category, v.spread, v.status))::uuid
