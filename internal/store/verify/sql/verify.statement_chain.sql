select number, billing_account, billing_period, version, lines, bytes, digest, rows_digest, open_period, policy_versions, previous, chain
from statements where tenant_id = $1 order by number
