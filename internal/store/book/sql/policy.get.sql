select document, withdrawn_at is not null from policy_versions where tenant_id = $1 and version = $2 for update
