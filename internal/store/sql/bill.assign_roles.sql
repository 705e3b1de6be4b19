with ranked as (
  select t.delivery_id, t.account, t.billing_period, t.currency, t.metric,
    case when d.rank = max(d.rank) over (partition by t.account, t.billing_period, t.metric) then 'book' else 'evidence' end as role
  from deliveries d
  join control_totals t on t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id
  where d.tenant_id = $1 and d.state = 'current'
), moved as (
  update control_totals t set role = r.role
  from ranked r
  where t.tenant_id = $1 and t.delivery_id = r.delivery_id and t.account = r.account and t.billing_period = r.billing_period
    and t.currency = r.currency and t.metric = r.metric and t.role <> r.role
  returning t.delivery_id
)
update deliveries d set fleet_digest = ''
where d.tenant_id = $1 and d.delivery_id in (select delivery_id from moved)
