insert into posting_terms (tenant_id, terms_id, billing_account, billing_period, posted_period, settles,
  cause, activity, kind, method, quality, policy_version, currency, state)
select $1::int, t.terms_id, nullif(t.account, ''), nullif(t.period, ''), nullif(t.period, ''), nullif(t.settles, ''),
  t.cause, nullif(t.activity, ''), t.kind, t.method, t.quality, t.policy_version, t.currency, t.state
from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[])
  t (terms_id, account, period, settles, cause, activity, kind, method, quality, policy_version, currency, state)
order by t.terms_id
on conflict do nothing
