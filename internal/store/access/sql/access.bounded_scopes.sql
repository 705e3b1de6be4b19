-- Scopes with bounds, one for $2; locked, so that two refresh one after the other.
select scope_id, conditions, digest from scopes
where tenant_id = $1 and not everything and ($2::uuid is null or scope_id = $2)
order by scope_id
for update
