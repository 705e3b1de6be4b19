select t.account, t.billing_period, t.metric, min(d.source || ' ' || d.export), max(d.source || ' ' || d.export), d.rank
from deliveries d
join control_totals t on t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id
where d.tenant_id = $1 and d.state = 'current'
  and not exists (
    select from deliveries e join control_totals u on u.tenant_id = e.tenant_id and u.delivery_id = e.delivery_id
    where e.tenant_id = $1 and e.state = 'current' and e.rank > d.rank
      and u.account = t.account and u.billing_period = t.billing_period and u.metric = t.metric)
group by t.account, t.billing_period, t.metric, d.rank
having count(distinct (d.source, d.export)) > 1
order by t.account, t.billing_period, t.metric
limit 1
