-- Statements, of reopened periods too.
select t.billing_account, t.billing_period, t.version::bigint as version, case when t.reopened_at is null then 'final' else 'reopened' end as state,
       encode(t.digest, 'hex') as digest, t.closed_at, t.closed_by, t.reopened_at, t.reopened_by, t.reopen_reason,
       array_to_string(t.policy_versions, ',') as policy_versions, t.open_period, t.lines, t.bytes,
       encode(t.rows_digest, 'hex') as rows_digest, t.number, encode(t.chain, 'hex') as chain
from statements t
where t.tenant_id = @tenant and (@billing_period is null or t.billing_period = @billing_period)
