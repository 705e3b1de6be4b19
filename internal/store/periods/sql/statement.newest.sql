-- The statement that counts: the newest version of a period, unless it was reopened.
select version, number, lines, bytes, digest, rows_digest, policy_versions, open_period, previous, chain
from statements
where tenant_id = $1 and billing_account = $2 and billing_period = $3 and reopened_at is null
