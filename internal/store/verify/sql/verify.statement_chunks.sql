select c.billing_account, c.billing_period, c.what, c.node_id, c.day, c.digest, c.row_count, s.reopened_at is not null
from statement_chunks c
join statements s on s.tenant_id = c.tenant_id and s.billing_account = c.billing_account and s.billing_period = c.billing_period and s.version = c.version
where c.tenant_id = $1 and c.day >= $2 and c.day < $3
order by s.reopened_at is null desc
