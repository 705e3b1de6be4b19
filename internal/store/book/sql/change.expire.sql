update changes set state = 'expired', decided_at = expires_at where tenant_id = $1 and state = 'waiting' and expires_at <= $2
