select month, fingerprint from share_months where tenant_id = $1
