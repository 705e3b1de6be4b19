with placed as (
  select t.delivery_id, t.account, t.billing_period, t.currency, t.metric, d.source, d.scope, d.export,
    dense_rank() over (partition by t.account, t.billing_period, t.currency, t.metric order by d.rank desc, d.preference desc) as place
  from control_totals t
  join deliveries d on d.tenant_id = t.tenant_id and d.delivery_id = t.delivery_id and d.state = 'current'
  where t.tenant_id = $1
), counting as ( -- by which book instance seconds count (docs/rules.md, 8.1): that of effective_cost, else of billed_cost
  select *, max(metric) filter (where place = 1 and metric in ('effective_cost', 'billed_cost'))
    over (partition by account, billing_period, currency) as counts
  from placed
), decided as (
  select delivery_id, account, billing_period, currency, metric, case when place = 1 then 'book' else 'evidence' end as role,
    coalesce(bool_or(place = 1 and metric = counts) over (partition by account, billing_period, currency, source, scope, export), false) as counts_seconds
  from counting
), moved as (
  update control_totals t set role = n.role, counts_seconds = n.counts_seconds
  from decided n
  where t.tenant_id = $1 and t.delivery_id = n.delivery_id and t.account = n.account and t.billing_period = n.billing_period
    and t.currency = n.currency and t.metric = n.metric
    and (t.role <> n.role or t.counts_seconds <> n.counts_seconds)
  returning t.delivery_id
)
update deliveries d set fleet_digest = ''
where d.tenant_id = $1 and d.delivery_id in (select delivery_id from moved)
