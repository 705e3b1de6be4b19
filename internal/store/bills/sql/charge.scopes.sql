select scope, source_file, billing_account, account, billing_period, currency
from charge_scopes where tenant_id = $1 and delivery = $2
