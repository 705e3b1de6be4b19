-- Reopening a period, and the versions of its statement.

-- name: reopen.mark
insert into dirty (tenant_id, node_id, day, mark_id, reason)
select distinct $1::int, coalesce(node_id, '00000000-0000-0000-0000-000000000000'), date_trunc('day', hour, 'UTC'),
  $2::bigint, 'reopened'
from closing_parts
order by 2, 3

-- name: reopen.parts
-- Amortised fees in the hours of the period return to the period of their charge.
with opened as (
  update parts set final = false,
    billing_period = case when posting_kind = 'amortise' then coalesce(charge_period, billing_period)
      else billing_period end,
    charge_period = case when posting_kind = 'amortise' then null else charge_period end
  where tenant_id = $1 and billing_account = $2 and billing_period = $3 and final
  returning part_id, hour, node_id, delivery_id, charge_id
)
insert into closing_parts select * from opened

-- name: reopen.postings
update posting_terms set state = 'open', billing_period = settles
where tenant_id = $1 and billing_account = $2 and billing_period = $3 and state = 'final'

-- name: reopen.recut
update deliveries d set fleet_digest = ''
where d.tenant_id = $1 and d.state = 'current'
  and exists (select from charge_scopes c where c.tenant_id = d.tenant_id and c.delivery = d.number
    and c.billing_account = $2 and c.billing_period <= $3)

-- name: reopen.shares
update shares set state = 'open'
where tenant_id = $1 and billing_account = $2 and billing_period = $3 and state = 'final'

-- name: reopen.statement
update statements set reopened_at = $4, reopened_by = $5, reopen_reason = $6
where tenant_id = $1 and billing_account = $2 and billing_period = $3 and reopened_at is null

-- name: reopen.thaw
-- Hours with usage rows of other closed periods' postings stay frozen.
delete from frozen_hours f
where f.tenant_id = $1 and f.billing_account = $2 and f.billing_period = $3
  and not exists (
    select from postings p
    where p.tenant_id = $1 and p.hour = f.hour and p.node_id = f.node_id and p.usage_id is not null
      and p.state = 'final')

-- name: statement.new_lines
select day, provider, account, region, cluster, node, namespace, workload_kind, service, run_id, owner_id as owner,
  cause, kind, quality, currency,
  effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours as capacity,
  active_gpu_hours as active, energy_kwh
from closing_lines order by line

-- name: statement.newest
-- The valid statement: the newest version of a period, unless it was reopened.
select billing_account, billing_period, version, number, lines, bytes, digest, rows_digest, policy_versions as policies,
  open_period, previous, chain
from statements
where tenant_id = $1 and billing_account = $2 and billing_period = $3 and reopened_at is null

-- name: statement.next
-- The next statement number, the chain of the newest statement, and the next version of the period.
select coalesce((select max(number) from statements where tenant_id = $1), 0) + 1 as number,
  coalesce((select chain from statements where tenant_id = $1 order by number desc limit 1), '') as chain,
  coalesce((select max(version) from statements where tenant_id = $1 and billing_account = $2 and billing_period = $3),
    0) + 1 as version

-- name: statement.put
insert into statements (tenant_id, billing_account, billing_period, version, number, format, document, lines, bytes,
    digest, rows_digest, policy_versions,
  open_period, previous, chain, closed_at, closed_by)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)

-- name: statement.put_chunks
insert into statement_chunks (tenant_id, billing_account, billing_period, version, what, node_id, day, digest,
    row_count)
select $1, $2, $3, $4, * from unnest($5::text[], $6::uuid[], $7::timestamptz[], $8::bytea[], $9::bigint[])

-- name: statement.put_lines
insert into statement_lines select * from closing_lines order by line
