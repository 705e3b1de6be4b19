update policy_versions set withdrawn_at = $3 where tenant_id = $1 and version = $2
