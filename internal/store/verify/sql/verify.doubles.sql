select what, concat_ws('/', nullif(cluster, ''), name) as machine, concat_ws('/', nullif(other_cluster, ''), other_name) as other,
       from_at, to_at, cost as may_be_double, nullif(currency, '') as currency
from machine_doubles
where tenant_id = $1 and from_at < $3 and to_at > $2
order by number, currency
