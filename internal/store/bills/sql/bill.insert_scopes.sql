insert into charge_scopes (tenant_id, delivery, scope, source_file, billing_account, account, billing_period, currency)
select $1, $2, scope, source_file, billing_account, account, billing_period, currency
from next_scopes where slot = $3
