with exports as (
  select t.account, t.billing_period, t.currency, t.metric, d.source, d.scope, d.export,
    dense_rank() over (partition by t.account, t.billing_period, t.currency, t.metric order by max(d.rank) desc, max(d.preference) desc) as place
  from deliveries d
  join control_totals t on t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id
  where d.tenant_id = $1 and d.state = 'current'
  group by t.account, t.billing_period, t.currency, t.metric, d.source, d.scope, d.export
), counting as ( -- by which book instance seconds count (docs/rules.md, 8.1)
  select account, billing_period, currency, max(metric) as metric -- effective_cost before billed_cost
  from exports
  where place = 1 and metric in ('effective_cost', 'billed_cost')
  group by account, billing_period, currency
), counters as (
  select e.account, e.billing_period, e.currency, e.source, e.scope, e.export
  from counting join exports e using (account, billing_period, currency, metric)
  where e.place = 1
), decided as (
  select t.delivery_id, t.account, t.billing_period, t.currency, t.metric,
    case when e.place = 1 then 'book' else 'evidence' end as role, c.account is not null as counts_seconds
  from control_totals t
  join deliveries d on d.tenant_id = t.tenant_id and d.delivery_id = t.delivery_id and d.state = 'current'
  join exports e on e.account = t.account and e.billing_period = t.billing_period and e.currency = t.currency and e.metric = t.metric
    and e.source = d.source and e.scope = d.scope and e.export = d.export
  left join counters c on c.account = t.account and c.billing_period = t.billing_period and c.currency = t.currency
    and c.source = d.source and c.scope = d.scope and c.export = d.export
  where t.tenant_id = $1
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
