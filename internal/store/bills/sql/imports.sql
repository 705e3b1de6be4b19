-- Imports: begun, counted, finished; the states of sources; prices from imports.

-- name: import.conflicting_rates
select a.instance_type, a.region, a.price_class, a.currency, a.hourly, a.valid_from as from, a.valid_to as to,
  b.hourly as other_hourly, b.valid_from as other_from, b.valid_to as other_to, b.source as other_source
from next_rates a
join (select tenant_id, rate_id, instance_type, region, price_class, currency, hourly, valid_from, valid_to,
        source from rates where tenant_id = $1
      union
      select tenant_id, rate_id, instance_type, region, price_class, currency, hourly, valid_from, valid_to,
        source from next_rates) b
  on b.rate_id <> a.rate_id and b.instance_type = a.instance_type and b.region = a.region
    and b.price_class = a.price_class
    and b.currency = a.currency and b.hourly <> a.hourly and b.valid_from < a.valid_to and a.valid_from < b.valid_to
order by a.instance_type, a.region, a.price_class, a.valid_from, b.valid_from
limit 1

-- name: import.copy_rejections
copy rejections (tenant_id, import_id, ordinal, file, line, col, reason, detail) from stdin (format binary)

-- name: import.create_events
create temp table next_events (like instance_events) on commit drop

-- name: import.create_rates
create temp table next_rates (like rates including defaults) on commit drop

-- name: import.elsewhere
with seen as (
  select * from unnest($2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[]) s(cluster, thing, from_at, to_at)
), known as (
  select f.cluster, f.provider_id as thing, f.first_seen as from_at, f.last_seen + interval '1 second' as to_at,
    s.from_at as seen_from, s.to_at as seen_to
  from seen s join node_facts f on f.tenant_id = $1 and f.provider_id = s.thing and f.cluster <> s.cluster
  union all
  select d.cluster, d.device, d.first_hour, d.last_hour + interval '1 hour', s.from_at, s.to_at
  from seen s join devices d on d.tenant_id = $1 and d.device = s.thing and d.cluster <> s.cluster
)
select cluster, thing, from_at as from, to_at as to
from known
where least(to_at, seen_to) - greatest(from_at, seen_from) > interval '1 hour'
order by thing, cluster, from_at
limit 10

-- name: import.finish
update imports set state = $3, finished_at = $4, files = $5, bytes = $6, rows_read = $7, accepted = $8, rejected = $9,
  ignored = $10,
  message = nullif($11, ''), uri = $12, cluster = nullif($13, ''), files_done = $14, bytes_done = $15, rows_done = $7,
  refused = $16
where tenant_id = $1 and import_id = $2

-- name: import.forget_counts
with counts as (delete from import_counts where tenant_id = $1 and import_id = $2)
delete from rejections where tenant_id = $1 and import_id = $2

-- name: import.insert_events
-- Marks the days of new warnings, because a machine is taken away after a warning.
with fresh as (
  insert into instance_events (tenant_id, provider, instance_id, kind, detail, at, account, region, event_id)
  select distinct on (provider, instance_id, kind, detail, at, account) tenant_id, provider, instance_id, kind,
    detail, at, account, region, event_id
  from next_events
  where tenant_id = $1
  order by provider, instance_id, kind, detail, at, account, event_id
  on conflict do nothing
  returning kind, at
), marked as (
  insert into stale_days (tenant_id, day, what)
  select distinct $1::int, date_trunc('day', at, 'UTC'), 'warnings' from fresh where kind = 'interruption_warning'
)
select count(*) from fresh

-- name: import.insert_rates
insert into rates (tenant_id, rate_id, import_id, instance_type, region, price_class, currency, hourly, valid_from,
  valid_to, source)
select tenant_id, rate_id, import_id, instance_type, region, price_class, currency, hourly, valid_from, valid_to, source
from next_rates where tenant_id = $1
on conflict do nothing

-- name: import.lock
select pg_advisory_xact_lock(hashtext('gpuledger publish ' || $2::text), $1)

-- name: import.node_devices
select node, device_index as index, device as uuid, first_hour as from, last_hour + interval '1 hour' as to
from devices
where tenant_id = $1 and cluster = $2 and node = any ($3)
order by node, device_index, device

-- name: import.node_identities
select f.name, f.provider_id, f.first_seen, f.last_seen
from node_facts f
where f.tenant_id = $1 and f.cluster = $2 and f.name = any ($3)
order by f.name, f.instance_id

-- name: import.progress
update imports set phase = $3, phase_since = case when phase is distinct from $3 then $4 else phase_since end,
  progress_at = $4,
  files_done = $5, files = $6, bytes_done = $7, bytes = $8, rows_done = $9
where tenant_id = $1 and import_id = $2 and state = 'running'

-- name: import.start
insert into imports (tenant_id, import_id, source, uri, cluster, state, started_at)
values ($1, $2, $3, $4, nullif($5, ''), $6, $7)

-- name: prices.imported
select provider, instance_type, region, price_class, currency, hourly, source, source_date as date
from public_prices
where tenant_id = $1
order by provider, instance_type, region, price_class, source_date

-- name: prices.put
insert into public_prices as p (tenant_id, import_id, provider, instance_type, region, price_class, currency, hourly,
  source, source_date)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict (tenant_id, provider, instance_type, region, price_class, source_date) do update
set import_id = excluded.import_id, currency = excluded.currency, hourly = excluded.hourly, source = excluded.source
where (p.currency, p.hourly, p.source) is distinct from (excluded.currency, excluded.hourly, excluded.source)

-- name: prices.use
insert into public_prices_used (tenant_id, digest) values ($1, $2)
on conflict (tenant_id) do update set digest = excluded.digest
where public_prices_used.digest <> excluded.digest

-- name: rates.keep_derived
-- Sorted, so that two allocations do not deadlock.
insert into derived_rates (tenant_id, rate_id, price_class, currency, hourly, source)
select $1, k.rate_id, k.price_class, k.currency, k.hourly, k.source
from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]::numeric[], $6::text[]) k (rate_id, price_class, currency,
  hourly, source)
where not exists (select from rates r where r.tenant_id = $1 and r.rate_id = k.rate_id)
order by k.rate_id
on conflict do nothing

-- name: source.save
insert into source_states (tenant_id, source, tick, state, message, listing, versions, looked_at, imported_at)
values ($1, $2, coalesce($3, '-infinity'::timestamptz), $4, $5, coalesce($6, ''::bytea), $7::jsonb, $8, $9)
on conflict (tenant_id, source) do update set
  tick = greatest(source_states.tick, excluded.tick), state = excluded.state, message = excluded.message,
  listing = case when $6::bytea is null then source_states.listing else excluded.listing end,
  versions = case when $6::bytea is null then source_states.versions else excluded.versions end,
  looked_at = excluded.looked_at, imported_at = coalesce(excluded.imported_at, source_states.imported_at)

-- name: source.states
-- -infinity becomes Go's zero time.
select source as name, coalesce(nullif(tick, '-infinity'), '0001-01-01Z') as tick, state, message, listing, versions,
  looked_at,
  coalesce(imported_at, '0001-01-01Z') as imported_at
from source_states where tenant_id = $1 and ($2::text is null or source = $2) order by source

-- name: source.try_lock
select pg_try_advisory_lock(hashtext('gpuledger source ' || $1::int), hashtext($2))

-- name: source.unlock
select pg_advisory_unlock(hashtext('gpuledger source ' || $1::int), hashtext($2))
