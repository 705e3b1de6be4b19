-- Two payers may both bill one account in one month (it moved between them):
-- exports of one source and two scopes do not compete.
with placed as (
  select t.account, t.billing_period, t.currency, t.metric, d.source, d.scope, d.export,
    dense_rank() over (partition by t.account, t.billing_period, t.currency, t.metric order by d.rank desc, d.preference desc) as place
  from control_totals t
  join deliveries d on d.tenant_id = t.tenant_id and d.delivery_id = t.delivery_id and d.state = 'current'
  where t.tenant_id = $1
), books as (
  select distinct account, billing_period, currency, metric, source, scope, export from placed where place = 1
)
select account, billing_period, currency, metric, source, min(export), source as other_source, max(export) as other_export
from books
group by account, billing_period, currency, metric, source, scope
having count(*) > 1
union all
select account, billing_period, currency, metric, min(source), (array_agg(export order by source, export))[1],
  max(source), (array_agg(export order by source desc, export))[1]
from books
group by account, billing_period, currency, metric
having min(source) <> max(source)
order by 1, 2, 4, 3, 5, 6
