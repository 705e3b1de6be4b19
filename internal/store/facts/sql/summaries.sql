-- Hourly signals of places, stored in addition to the samples; energy; which months are kept.

-- name: energy.samples
select device, hour, vectors
from sample_hours
where tenant_id = $1 and cluster = $2 and node = $3 and hour >= $4 and hour < $5 and slice_id = -1
order by device, hour, profile

-- name: retention.blockers
-- The reason, as the journal words it, to keep the minutes of the month [$2, $3); empty if there is none.
select coalesce((select 'not summarised yet'
    where exists (select from stale_hours where tenant_id = $1 and hour >= $2 and hour < $3)),
  (select 'not allocated yet' where exists (
    select from dirty d where d.tenant_id = $1 and d.day >= $2 and d.day <= $3
      and d.day > coalesce((select r.dropped_before from sample_retention r where r.tenant_id = $1), '-infinity'))),
  (select 'billing month not closed: ' || string_agg(a.billing_account, ', ' order by a.billing_account)
   from (select distinct s.billing_account from charge_scopes s where s.tenant_id = $1
     and s.billing_period = to_char($2 at time zone 'UTC', 'YYYY-MM')) a
   where not exists (select from period_states p where p.tenant_id = $1 and p.calendar = 'billing'
     and p.name = to_char($2 at time zone 'UTC', 'YYYY-MM')
     and p.billing_account = a.billing_account and p.state = 'closed')), '')

-- name: retention.months
-- Months of minute samples that ended by $1, oldest first, with their size in bytes over all tenants, because
-- partitions are shared.
select to_date(right(c.relname, 6), 'YYYYMM')::timestamp at time zone 'UTC' as "from",
  pg_total_relation_size(c.oid) as bytes
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'sample_hours'::regclass
  and (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month') at time zone 'UTC' <= $1::timestamptz
order by 1

-- name: retention.record
insert into sample_retention as r (tenant_id, dropped_before, at) values ($1, $2, $3)
on conflict (tenant_id) do update set dropped_before = greatest(r.dropped_before, excluded.dropped_before),
  at = excluded.at

-- name: retention.settings
set local lock_timeout = '2s'

-- name: retention.state
select coalesce((select dropped_before from sample_retention where tenant_id = $1), 'epoch') as dropped_before,
  (select count(distinct hour) from stale_hours where tenant_id = $1) as stale

-- name: retention.unmark
delete from dirty where tenant_id = $1 and day <= $2

-- name: summary.add_places
-- Numbers continue from the tenant's last one; the summariser holds a lock.
insert into sample_places (tenant_id, place_id, cluster, device, slice_id, profile, node, device_index, model)
select $1, (select coalesce(max(place_id), 0) from sample_places where tenant_id = $1) + row_number() over (), w.*
from unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::int[], $8::text[]) w
on conflict do nothing

-- name: summary.analyze_places
analyze sample_places

-- name: summary.changed
-- Rows of hours whose summary is missing or has an outdated source. Summaries of dropped minutes stay. The scan goes by
-- device and machine, because there is no index by hour. The scalar subquery makes the planner look up the summary by
-- its whole key, whatever the statistics.
select c.hour, c.place_id, c.cluster, c.device, c.slice_id, c.profile, c.node, c.device_index, c.model, c.source,
  c.known is not null, c.vectors
from (
  select h.hour, coalesce(p.place_id, 0) as place_id, h.cluster, h.device, h.slice_id, h.profile, h.node,
    h.device_index, h.model, h.vectors,
    ('x' || left(md5(h.vectors), 16))::bit(64)::bigint as source,
    (select s.source from sample_summaries s where s.tenant_id = $1 and s.place_id = p.place_id
      and s.hour = h.hour) as known
  from (
    select tenant_id, cluster, device, node, device_index from devices where tenant_id = $1
    union all -- the machines themselves
    select distinct tenant_id, cluster, 'host/' || node, node, -1 from devices where tenant_id = $1
  ) d
  join sample_hours h on h.tenant_id = d.tenant_id and h.cluster = d.cluster and h.device = d.device
    and h.hour = any($2) and h.node = d.node and h.device_index = d.device_index
  left join sample_places p on p.tenant_id = h.tenant_id and p.cluster = h.cluster and p.device = h.device
    and p.slice_id = h.slice_id and p.profile = h.profile
    and p.node = h.node and p.device_index = h.device_index and p.model = h.model
  where d.tenant_id = $1
    and h.hour >= coalesce((select r.dropped_before from sample_retention r where r.tenant_id = $1), '-infinity')
  offset 0
) c
where c.known is null or c.known <> c.source

-- name: summary.copy_fresh
copy sample_summaries (tenant_id, place_id, hour, source, figures, sketches)
from stdin (format binary)

-- name: summary.copy_next
copy next_summaries (tenant_id, place_id, hour, source, figures, sketches)
from stdin (format binary)

-- name: summary.create_next
create temp table next_summaries (like sample_summaries) on commit drop

-- name: summary.done
delete from stale_hours where tenant_id = $1 and mark_id = any($2)

-- name: summary.forget
delete from sample_summaries s
using unnest($2::int[], $3::timestamptz[]) f (place_id, hour)
where s.tenant_id = $1 and s.place_id = f.place_id and s.hour = f.hour and s.hour >= $4 and s.hour <= $5

-- name: summary.mark_analysis
insert into stale_days (tenant_id, day, what)
select distinct $1::int, date_trunc('day', hour, 'UTC'), 'ledger' from unnest($2::timestamptz[]) hour
order by 2

-- name: summary.merge_next
insert into sample_summaries as s (tenant_id, place_id, hour, source, figures, sketches)
select tenant_id, place_id, hour, source, figures, sketches
from next_summaries
on conflict (tenant_id, place_id, hour) do update
set source = excluded.source, figures = excluded.figures, sketches = excluded.sketches

-- name: summary.other_places
-- Devices and slices that were in several places, by each place.
select place_id, places
from (
  select place_id, array_agg(place_id) over one as places, count(*) over one as n
  from sample_places
  where tenant_id = $1
  window one as (partition by cluster, device, slice_id, profile)
) p
where n > 1

-- name: summary.places
-- Ids of places, by their position in the lists.
select w.n - 1 as at, p.place_id
from unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::int[], $8::text[])
  with ordinality w (cluster, device, slice_id, profile, node, device_index, model, n)
join sample_places p on p.tenant_id = $1 and p.cluster = w.cluster and p.device = w.device and p.slice_id = w.slice_id
  and p.profile = w.profile
  and p.node = w.node and p.device_index = w.device_index and p.model = w.model

-- name: summary.signals
insert into sample_signals (tenant_id, signal, name) select $1, * from unnest($2::smallint[], $3::text[])
on conflict do nothing

-- name: summary.sketches
-- Sketches of the hours [$2, $3) of the selected devices; null selects all.
select p.cluster, p.node, p.device, p.slice_id, s.hour, s.sketches
from sample_places p
join sample_summaries s on s.tenant_id = p.tenant_id and s.place_id = p.place_id and s.hour >= $2 and s.hour < $3
where p.tenant_id = $1
  and ($4::text is null or p.cluster = $4) and ($5::text is null or p.node = $5) and ($6::text is null or p.device = $6)

-- name: summary.stale
-- The oldest hours to summarise, up to $3 devices in total, but at least one hour.
select hour, marks
from (
  select hour, marks, sum(devices) over (order by hour) - devices as before
  from (
    select m.hour, m.marks, (select count(*) from devices d where d.tenant_id = $1 and d.first_hour <= m.hour
      and d.last_hour >= m.hour) as devices
    from (
      select hour, array_agg(mark_id) as marks
      from stale_hours
      where tenant_id = $1 and hour < $2
      group by hour
      order by hour
      limit 48
    ) m
  ) c
) h
where before < $3
order by hour
