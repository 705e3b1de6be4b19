select terms_id, coalesce(billing_account, ''), coalesce(posted_period, ''), coalesce(settles, ''), cause, coalesce(activity, ''),
  kind, method, quality, policy_version, currency, state
from posting_terms
where tenant_id = $1
order by terms_id
