-- User $2 comes, who was not here since $4.
update users set seen_at = $3 where tenant_id = $1 and user_id = $2 and (seen_at is null or seen_at <= $4)
