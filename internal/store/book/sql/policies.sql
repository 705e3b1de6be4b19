-- Policies, trials of a policy, changes that need a second person, and the audit log.

-- name: audit.head
select number, hash from audit_heads where tenant_id = $1 for update

-- name: audit.lock
select pg_advisory_xact_lock(hashtext('gpuledger audit'), $1)

-- name: audit.put
with entry as (
  insert into audit_log (tenant_id, number, at, actor, action, subject, detail, previous, hash)
  values ($1, $2, $3::text::timestamptz, $4, $5, $6, $7, $8, $9)
)
insert into audit_heads (tenant_id, number, hash) values ($1, $2, $9)
on conflict (tenant_id) do update set number = excluded.number, hash = excluded.hash

-- name: change.decide
update changes set state = $3, decided_by = $4, decided_at = $5, note = $6
where tenant_id = $1 and change_id = $2 and state = 'waiting'

-- name: change.expire
update changes set state = 'expired', decided_at = expires_at where tenant_id = $1 and state = 'waiting'
  and expires_at <= $2

-- name: change.get
select change_id as id, kind, subject, asked as text, digest, asked_by, asked_as, asked_id, behind, asked_at as at,
  expires_at as expires, state,
  coalesce(decided_by, '') as decided_by, coalesce(decided_at, '0001-01-01Z') as decided_at, coalesce(note, '') as note
from changes where tenant_id = $1 and change_id = $2

-- name: change.lock
select pg_advisory_xact_lock(hashtext('gpuledger changes'), $1)

-- name: change.put
insert into changes (tenant_id, change_id, kind, subject, asked, digest, asked_by, asked_as, asked_id, behind, asked_at,
    expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)

-- name: change.token_makers
-- The creator of a token; if that is the name of a token, also its creator, and so on.
with recursive makers (name) as (
  select created_by from tokens where tenant_id = $1 and token_id = $2 and created_by <> ''
  union
  select t.created_by from makers m join tokens t on t.tenant_id = $1 and t.name = m.name where t.created_by <> ''
)
select name from makers order by name

-- name: change.waiting
select change_id as id, kind, subject, asked as text, digest, asked_by, asked_as, asked_id, behind, asked_at as at,
  expires_at as expires, state,
  coalesce(decided_by, '') as decided_by, coalesce(decided_at, '0001-01-01Z') as decided_at, coalesce(note, '') as note
from changes where tenant_id = $1 and state = 'waiting' and expires_at > $2 order by asked_at, change_id

-- name: policy.documents
select version, document from policy_versions where tenant_id = $1 and withdrawn_at is null order by created_at, version

-- name: policy.every
-- All versions, withdrawn ones too.
select version, document, withdrawn_at is not null as withdrawn from policy_versions
where tenant_id = $1 order by created_at, version

-- name: policy.get
select document, withdrawn_at is not null as withdrawn from policy_versions
where tenant_id = $1 and version = $2 for update

-- name: policy.mark
insert into dirty (tenant_id, node_id, day, mark_id, reason)
select $1, node_id, day, $2, 'policy' from chunks where tenant_id = $1 and day >= $3::text::timestamptz
order by node_id, day

-- name: policy.put
insert into policy_versions (tenant_id, version, valid_from, document, note, margin_seconds, created_at, created_by,
    only_rates)
values ($1, $2, $3::text::timestamptz, $4, $5, $6, $7, $8, $9)

-- name: policy.put_rate
insert into exchange_rates (tenant_id, version, from_currency, to_currency, day, rate, source)
values ($1, $2, $3, $4, ($5::text::timestamptz at time zone 'UTC')::date, $6::text::numeric, $7)

-- name: policy.withdraw
update policy_versions set withdrawn_at = $3 where tenant_id = $1 and version = $2

-- name: trial.days
select node_id, day, 0::bigint as mark
from chunks
where tenant_id = $1 and ($2::timestamptz is null or day + interval '1 day' > $2)
  and ($3::timestamptz is null or day < $3)
order by node_id, day

-- name: trial.owner_labels
select owner_id, jsonb_strip_nulls(jsonb_build_object('business_unit', business_unit, 'team', team, 'project', project,
  'model', model, 'model_version', model_version, 'stage', stage, 'environment', environment, 'cost_center', cost_center,
  'experiment', experiment, 'dataset', dataset, 'user', "user", 'priority', priority, 'queue', queue))
from owners where tenant_id = $1 and owner_id = any ($2)

-- name: trial.owner_totals
-- Costs by owner after sharing, without discounts of commitments. Whole days, because days are the unit of
-- recomputation.
select p.owner_id as owner, p.currency, sum(p.effective_cost) as effective
from (
  select owner_id, currency, effective_cost from postings
  where tenant_id = $1 and state <> 'final'
    and ($2::timestamptz is null or hour >= date_trunc('day', $2::timestamptz, 'UTC'))
    and ($3::timestamptz is null
      or hour < date_trunc('day', $3::timestamptz + interval '1 day' - interval '1 microsecond', 'UTC'))
  union all
  select owner_id, currency, effective_cost from shares
  where tenant_id = $1 and state <> 'final' and commitment is null
    and ($2::timestamptz is null or hour >= date_trunc('day', $2::timestamptz, 'UTC'))
    and ($3::timestamptz is null
      or hour < date_trunc('day', $3::timestamptz + interval '1 day' - interval '1 microsecond', 'UTC'))
) p
where p.effective_cost is not null
group by p.owner_id, p.currency

-- name: trial.totals
-- Team costs after sharing, without discounts of commitments. Whole days, because days are the unit of recomputation.
select coalesce(o.team, '') as team, p.cause, p.currency, sum(p.effective_cost) as effective,
  sum(p.billed_cost) as billed, sum(p.gpu_hours) as gpu_hours
from (
  select owner_id, cause, currency, sum(effective_cost) as effective_cost, sum(billed_cost) as billed_cost,
    sum(gpu_hours) as gpu_hours
  from postings
  where tenant_id = $1 and state <> 'final'
    and ($2::timestamptz is null or hour >= date_trunc('day', $2::timestamptz, 'UTC'))
    and ($3::timestamptz is null
      or hour < date_trunc('day', $3::timestamptz + interval '1 day' - interval '1 microsecond', 'UTC'))
  group by owner_id, cause, currency
  union all
  select owner_id, cause, currency, sum(effective_cost), sum(billed_cost), null
  from shares
  where tenant_id = $1 and state <> 'final' and commitment is null
    and ($2::timestamptz is null or hour >= date_trunc('day', $2::timestamptz, 'UTC'))
    and ($3::timestamptz is null
      or hour < date_trunc('day', $3::timestamptz + interval '1 day' - interval '1 microsecond', 'UTC'))
  group by owner_id, cause, currency
) p
left join owners o on o.tenant_id = $1 and o.owner_id = p.owner_id
group by 1, 2, 3

-- name: budget.current
-- The newest version of each budget.
select distinct on (budget_id) budget_id as id, version, name, key, value, period, starts, ends, amount,
  unit, coalesce(currency, '') as currency, coalesce(parent, '') as parent
from budgets where tenant_id = $1
order by budget_id, version desc

-- name: budget.put
insert into budgets (tenant_id, budget_id, version, name, key, value, period, starts, ends, amount, unit, currency,
  parent, changed_by, reason, import_id)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, nullif($12, ''), nullif($13, ''), $14, $15,
  nullif($16, '00000000-0000-0000-0000-000000000000'::uuid))

-- name: annotation.put
insert into annotations (tenant_id, annotation_id, at, until, kind, key, value, text, source, link, stored_by, import_id)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
  nullif($12, '00000000-0000-0000-0000-000000000000'::uuid))
on conflict do nothing
