with keys as (
  select d.number as delivery, t.account, t.billing_period, t.currency,
    bool_or(t.metric = 'effective_cost' and t.role = 'book') as prices, bool_and(t.counts_seconds) as counts
  from deliveries d
  join control_totals t on t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id
  where d.tenant_id = $1 and d.state = 'current'
  group by d.number, t.account, t.billing_period, t.currency
  having bool_or(t.role = 'book')
), notes as (
  select n.*, k.account, k.currency, k.prices,
    case when k.prices then n.effective_cost end as effective, case when k.counts then n.instance_seconds end as seconds
  from charge_instances n
  join charge_scopes s on s.tenant_id = n.tenant_id and s.delivery = n.delivery and s.scope = n.scope
  join keys k on k.delivery = n.delivery and k.account = s.account and k.billing_period = s.billing_period and k.currency = s.currency
  where n.tenant_id = $1
), machines as ( -- of two exports of one bill, the one with the cost that prices hours without a bill
  select distinct on (instance_key) *, min(starts) over machine as first_starts,
    sum(effective) over newest as newest_effective, sum(seconds) over newest as newest_seconds
  from notes
  window machine as (partition by instance_key), newest as (partition by instance_key, ends, newest_starts, currency)
  order by instance_key, ends desc, newest_starts desc, prices desc, instance_seconds is null, charge_id
)
select m.instance_key, m.charge_id, i.instance_type, i.region, i.zone, i.price_class, m.account, t.tags, to_timestamp(m.first_starts), to_timestamp(m.ends),
  m.currency, m.newest_effective, m.newest_seconds::bigint, m.usage_amount
from machines m
join charge_items i on i.tenant_id = m.tenant_id and i.delivery = m.delivery and i.item = m.item
left join charge_tags t on t.tenant_id = m.tenant_id and t.delivery = m.delivery and t.tag_set = m.tag_set
order by m.instance_key
