-- Storing, replacing, deleting the chunk of a node-day, and its history.

-- name: chunk.claim
-- Dropping a mark gives the exclusive right to write its day. A calculation that has ended, or is older than the stored
-- chunk, drops none.
delete from dirty d
where d.tenant_id = $1 and d.node_id = $2 and d.day = any ($3) and (d.mark_id <= $4 or d.calculation_id = $5)
  and not exists (select from calculations c where c.tenant_id = $1 and c.calculation_id = $5
    and c.finished_at is not null)
  and not exists (select from chunks k where k.tenant_id = $1 and k.node_id = $2 and k.day = d.day and k.mark > $4)
returning d.day

-- name: chunk.count_late
update frozen_hours f set late_rows = h.late_rows
from unnest($3::timestamptz[], $4::int[]) h (hour, late_rows)
where f.tenant_id = $1 and f.node_id = $2 and f.hour = h.hour and f.late_rows <> h.late_rows

-- name: chunk.delete_loose_postings
delete from posting_rows p
where p.tenant_id = $1 and p.node_id is null and p.hour = any ($2)
  and not exists (select from posting_terms t where t.tenant_id = p.tenant_id and t.terms_id = p.terms_id
    and t.state = 'final')

-- name: chunk.delete_node_parts
delete from parts where tenant_id = $1 and node_id = $2 and hour = any ($3) and kind = 'provisional'

-- name: chunk.delete_node_postings
delete from posting_rows p
where p.tenant_id = $1 and p.node_id = $2 and p.hour = any ($3)
  and not exists (select from posting_terms t where t.tenant_id = p.tenant_id and t.terms_id = p.terms_id
    and t.state = 'final')

-- name: chunk.delete_node_spans
-- A span belongs to the hour in which it begins.
delete from spans where tenant_id = $1 and node_id = $2 and day = any ($4)
  and date_trunc('hour', least(greatest(from_at, day), day + interval '23 hours'), 'UTC') = any ($3)

-- name: chunk.delete_node_usage
delete from usage u
where tenant_id = $1 and node_id = $2 and hour = any ($3)
  and not exists (select from frozen_hours f where f.tenant_id = u.tenant_id and f.node_id = u.node_id
    and f.hour = u.hour)

-- name: chunk.drop_estimates
-- A day loses all of its estimates, since they are not kept by hour.
with undone as (
  select distinct date_trunc('day', u.hour, 'UTC') as day from unnest($3::timestamptz[]) u (hour)
  where not exists (select from frozen_hours f where f.tenant_id = $1 and f.node_id = $2 and f.hour = u.hour)
), unmarked as (
  update chunks c set estimated = 0 from undone u where c.tenant_id = $1 and c.node_id = $2 and c.day = u.day
)
delete from replaced_estimates e using undone u where e.tenant_id = $1 and e.node_id = $2 and e.day = u.day

-- name: chunk.get
select day, generation, digest, hours, estimated from chunks where tenant_id = $1 and node_id = $2 and day = any ($3) for update

-- name: chunk.history_of_loose
with sums as (
  select date_trunc('day', hour, 'UTC') as day, owner_id, cause, currency, state, sum(effective_cost) as effective,
    sum(billed_cost) as billed, sum(list_cost) as list,
    sum(contracted_cost) as contracted, sum(gpu_hours) as gpu_hours
  from postings
  where tenant_id = $1 and node_id is null and hour = any ($5)
  group by date_trunc('day', hour, 'UTC'), owner_id, cause, currency, state
), totals as (
  select day, jsonb_agg(jsonb_build_object('owner_id', owner_id, 'cause', cause, 'currency', currency, 'state', state,
    'effective_cost', effective::text, 'billed_cost', billed::text, 'list_cost', list::text,
    'contracted_cost', contracted::text,
    'gpu_hours', gpu_hours::text) order by owner_id, cause, currency, state) as totals
  from sums group by day
)
insert into chunk_history (tenant_id, node_id, day, generation, digest, totals, replaced_at)
select k.tenant_id, k.node_id, k.day, k.generation, k.digest, coalesce(t.totals, '[]'), $4::timestamptz
from chunks k left join totals t using (day)
where k.tenant_id = $1 and k.node_id = $2 and k.day = any ($3)

-- name: chunk.history_of_node
with sums as (
  select date_trunc('day', hour, 'UTC') as day, owner_id, cause, currency, state, sum(effective_cost) as effective,
    sum(billed_cost) as billed, sum(list_cost) as list,
    sum(contracted_cost) as contracted, sum(gpu_hours) as gpu_hours
  from postings
  where tenant_id = $1 and node_id = $2 and hour = any ($5)
  group by date_trunc('day', hour, 'UTC'), owner_id, cause, currency, state
), totals as (
  select day, jsonb_agg(jsonb_build_object('owner_id', owner_id, 'cause', cause, 'currency', currency, 'state', state,
    'effective_cost', effective::text, 'billed_cost', billed::text, 'list_cost', list::text,
    'contracted_cost', contracted::text,
    'gpu_hours', gpu_hours::text) order by owner_id, cause, currency, state) as totals
  from sums group by day
)
insert into chunk_history (tenant_id, node_id, day, generation, digest, totals, replaced_at)
select k.tenant_id, k.node_id, k.day, k.generation, k.digest, coalesce(t.totals, '[]'), $4::timestamptz
from chunks k left join totals t using (day)
where k.tenant_id = $1 and k.node_id = $2 and k.day = any ($3)

-- name: chunk.keep_estimates
-- Hours that were paid in advance have a provisional cost of 0, which estimates nothing.
with said as (
  select date_trunc('day', p.hour, 'UTC') as day, 1 << extract(hour from p.hour at time zone 'UTC')::int as bit,
    p.owner_id, p.currency, p.effective_cost
  from postings p
  where p.tenant_id = $1 and p.node_id = $2 and p.hour = any ($3) and p.state = 'provisional'
    and p.effective_cost is not null and p.method <> 'prepaid capacity'
), marked as (
  update chunks c set estimated = c.estimated | s.bits
  from (select day, bit_or(bit) as bits from said group by day) s
  where c.tenant_id = $1 and c.node_id = $2 and c.day = s.day
)
insert into replaced_estimates as e (tenant_id, node_id, day, owner_id, currency, effective_cost)
select $1, $2, day, owner_id, currency, sum(effective_cost) from said group by day, owner_id, currency
on conflict (tenant_id, node_id, day, owner_id, currency) do update
set effective_cost = e.effective_cost + excluded.effective_cost

-- name: chunk.loose_part_months
select part_id, billing_period, coalesce(billing_account, '') as billing_account from parts
where tenant_id = $1 and node_id is null and hour >= $2 and hour < $3 and billing_period is not null

-- name: chunk.mark_analysis
-- Also for unchanged days: names that roll-ups copy may have changed.
insert into stale_days (tenant_id, day, what) select $1, d, 'ledger' from unnest($2::timestamptz[]) d

-- name: chunk.no_wait
select set_config('synchronous_commit', 'off', true), set_config('idle_in_transaction_session_timeout', '20s', true),
  set_config('application_name', 'gpuledger ' || $1::text, true)

-- name: chunk.node_part_months
select part_id, billing_period, coalesce(billing_account, '') as billing_account from parts
where tenant_id = $1 and node_id = $2 and hour >= $3 and hour < $4 and billing_period is not null

-- name: chunk.put
insert into chunks (tenant_id, node_id, day, generation, calculation_id, mark, digest, hours, usage_rows,
  posting_rows, part_rows, span_rows)
select $1::int, $2::uuid, c.day, c.generation, $3::uuid, $4::bigint, c.digest, c.hours, c.usage_rows, c.posting_rows,
  c.part_rows, c.span_rows
from unnest($5::timestamptz[], $6::bigint[], $7::bytea[], $8::int[], $9::int[], $10::int[], $11::int[], $12::bytea[])
  c (day, generation, digest, usage_rows, posting_rows, part_rows, span_rows, hours)
on conflict (tenant_id, node_id, day) do update
set generation = excluded.generation, calculation_id = excluded.calculation_id, mark = excluded.mark,
  digest = excluded.digest, hours = excluded.hours,
  usage_rows = excluded.usage_rows, posting_rows = excluded.posting_rows, part_rows = excluded.part_rows,
  span_rows = excluded.span_rows

-- name: chunk.put_terms
insert into posting_terms (tenant_id, terms_id, billing_account, billing_period, posted_period, settles,
  cause, activity, kind, method, quality, policy_version, currency, state)
select $1::int, t.terms_id, nullif(t.account, ''), nullif(t.settles, ''), nullif(t.period, ''), nullif(t.settles, ''),
  t.cause, nullif(t.activity, ''), t.kind, t.method, t.quality, t.policy_version, t.currency, t.state
from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
  $10::text[], $11::text[], $12::text[], $13::text[])
  t (terms_id, account, period, settles, cause, activity, kind, method, quality, policy_version, currency, state)
order by t.terms_id
on conflict do nothing

-- name: chunk.terms
select terms_id, coalesce(billing_account, ''), coalesce(posted_period, ''), coalesce(settles, ''), cause,
  coalesce(activity, ''),
  kind, method, quality, policy_version, currency, state
from posting_terms
where tenant_id = $1
order by terms_id

-- name: close.refresh_chunks
update chunks c set digest = d.digest
from unnest($2::uuid[], $3::timestamptz[], $4::bytea[]) d (node_id, day, digest)
where c.tenant_id = $1 and c.node_id = d.node_id and c.day = d.day
