select document from statements where tenant_id = $1 and billing_account = $2 and billing_period = $3 and version = $4
