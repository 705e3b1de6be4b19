-- Two payers may both bill one account in one month (it moved between them):
-- exports of one source and two scopes do not compete.
with exports as (
  select t.account, t.billing_period, t.currency, t.metric, d.source, d.scope, d.export, max(d.rank) as rank, max(d.preference) as preference
  from deliveries d
  join control_totals t on t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id
  where d.tenant_id = $1 and d.state = 'current'
  group by t.account, t.billing_period, t.currency, t.metric, d.source, d.scope, d.export
), placed as (
  select *, dense_rank() over (partition by account, billing_period, currency, metric order by rank desc, preference desc) as place from exports
)
select a.account, a.billing_period, a.currency, a.metric, a.source, a.export, b.source, b.export
from placed a
join placed b using (account, billing_period, currency, metric)
where a.place = 1 and b.place = 1 and (a.source, a.scope, a.export) < (b.source, b.scope, b.export)
  and not (a.source = b.source and a.scope <> b.scope)
order by account, billing_period, metric, currency, a.source, a.export, b.source, b.export
