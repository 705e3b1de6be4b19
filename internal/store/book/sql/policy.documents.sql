select version, document from policy_versions where tenant_id = $1 and withdrawn_at is null order by created_at, version
