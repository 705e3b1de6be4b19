select account, billing_period, currency, metric, role = 'evidence', counts_seconds
from control_totals
where tenant_id = $1 and delivery_id = $2 and (role = 'evidence' or not counts_seconds)
