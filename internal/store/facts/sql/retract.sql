-- Facts that a newer statement retracts, and the days that changed facts affect.

-- name: telemetry.forget_places
delete from devices d
using (select cluster, device, stored_node as node, stored_index as device_index, min(hour) as first_hour,
  max(hour) as last_hour
       from device_clashes group by cluster, device, stored_node, stored_index) l
where d.tenant_id = $1 and d.cluster = l.cluster and d.device = l.device and d.node = l.node
  and d.device_index = l.device_index
  and d.first_hour >= l.first_hour and d.last_hour <= l.last_hour
  and not exists (select from sample_hours s where s.tenant_id = $1 and s.cluster = d.cluster and s.device = d.device
    and s.hour >= l.first_hour and s.hour <= l.last_hour and s.node = d.node and s.device_index = d.device_index)

-- name: telemetry.mark_analysis
-- Also the day after: its first rises count from the last samples before it.
insert into stale_days (tenant_id, day, what)
select distinct $1::int, date_trunc('day', n.hour, 'UTC') + d, 'counters'
from next_counters n cross join (values (interval '0'), (interval '1 day')) days (d)
order by 2

-- name: telemetry.mark_named
-- Days of slots whose device gets another name with these samples (report.device_usage): from the day the device was
-- first seen, or all days if the slot had no device before.
insert into stale_days (tenant_id, day, what)
select distinct $1::int, c.day, 'ledger'
from (
  select cluster, node, device, device_index, min(hour) as first_hour
  from changed_samples
  where device not like 'host/%'
  group by cluster, node, device, device_index
) s
join nodes n on n.tenant_id = $1 and n.cluster = s.cluster and n.name = s.node
join chunks c on c.tenant_id = $1 and c.node_id = n.node_id
where not exists (select from devices d where d.tenant_id = $1 and d.cluster = s.cluster and d.node = s.node
  and d.device = s.device
    and d.device_index = s.device_index and d.first_hour <= s.first_hour)
  and (c.day >= date_trunc('day', s.first_hour, 'UTC')
    or not exists (select from devices d where d.tenant_id = $1 and d.cluster = s.cluster
    and d.node = s.node and d.device_index = s.device_index and d.first_hour < s.first_hour))
order by 2

-- name: telemetry.moved_sources
-- By how much lives of each cluster that were read in another time zone are shifted: the earliest life and the latest.
with said as (
  select * from unnest($2::text[], $3::timestamptz[]) k (statement, created_at)
), moved as (
  select f.cluster, s.created_at, extract(epoch from f.created_at - s.created_at)::bigint as shift
  from workload_facts f join said s on s.statement = f.statement
  where f.tenant_id = $1 and not exists (select from said o where o.statement = f.statement
    and o.created_at = f.created_at)
)
select cluster, (array_agg(shift order by created_at))[1] as early,
  (array_agg(shift order by created_at desc))[1] as late
from moved group by cluster order by cluster

-- name: telemetry.retract_checkpoints
delete from checkpoint_facts c
where c.tenant_id = $1 and c.statement = any($2::text[])
  and not exists (
    select from next_checkpoints n
    where n.statement = c.statement and n.cluster = c.cluster and n.namespace = c.namespace and n.pod = c.pod
      and n.run = c.run and n.at = c.at)

-- name: telemetry.retract_moved
-- Lives that were read in another time zone, in which the same clock time was another instant.
with said as (
  select * from unnest($2::text[], $3::timestamptz[]) k (statement, created_at)
), moved as (
  delete from workload_facts f
  where f.tenant_id = $1 and f.statement in (select statement from said)
    and not exists (select from said s where s.statement = f.statement and s.created_at = f.created_at)
  returning f.cluster, f.uid, f.owner_kind, f.namespace, f.owner_name, f.created_at
), owners as (
  delete from objects o using moved m
  where o.tenant_id = $1 and o.cluster = m.cluster and o.kind = m.owner_kind and o.namespace = m.namespace
    and o.name = m.owner_name
    and o.created_at = m.created_at
), gone as (
  delete from placements p using moved m
  where p.tenant_id = $1 and p.cluster = m.cluster and p.workload = m.uid
  returning p.cluster, p.workload
)
insert into touched
select distinct w.node_id, w.hold_from, w.hold_to, 'evidence'
from gone g
join workloads w on w.tenant_id = $1 and w.cluster = g.cluster and w.uid = g.workload
where w.node_id is not null

-- name: telemetry.retract_moved_segments
-- Segments that were read in another time zone, as in telemetry.retract_moved.
with said as (
  select * from unnest($2::text[], $3::timestamptz[]) k (statement, from_at)
)
delete from segment_facts f
where f.tenant_id = $1 and f.statement in (select statement from said)
  and not exists (select from said s where s.statement = f.statement and s.from_at = f.from_at)

-- name: telemetry.retract_placements
-- Placements of workloads in restated statements, except those that are stated again.
with gone as (
  delete from placements p
  using workload_facts f
  where f.tenant_id = $1 and f.statement = any($2::text[]) and p.tenant_id = f.tenant_id and p.cluster = f.cluster
    and p.workload = f.uid
    and not exists (
      select from next_placements n
      where n.cluster = p.cluster and n.workload = p.workload and n.evidence = p.evidence and n.node = p.node
        and n.device = p.device
        and n.slice_id = p.slice_id and n.from_at = p.from_at)
  returning p.cluster, p.workload
)
insert into touched
select distinct w.node_id, w.hold_from, w.hold_to, 'evidence'
from gone g
join workloads w on w.tenant_id = $1 and w.cluster = g.cluster and w.uid = g.workload
where w.node_id is not null

-- name: telemetry.retract_segments
delete from segment_facts s
where s.tenant_id = $1 and s.statement = any($2::text[])
  and not exists (
    select from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::timestamptz[]) k (cluster,
        namespace, pod, run, attempt, from_at)
    where k.cluster = s.cluster and k.namespace = s.namespace and k.pod = s.pod and k.run = s.run
      and k.attempt = s.attempt and k.from_at = s.from_at)

-- name: telemetry.retract_workloads
delete from workload_facts f
where f.tenant_id = $1 and f.statement = any($2::text[])
  and not exists (select from unnest($3::text[], $4::text[]) k (cluster, uid)
      where k.cluster = f.cluster and k.uid = f.uid)

-- name: telemetry.shrink_places
update devices d
set (first_hour, last_hour, first_at, last_at) = (
  select x.first_hour, x.last_hour,
    coalesce((select min(s.first_at) from sample_hours s where s.tenant_id = $1 and s.cluster = d.cluster
      and s.device = d.device
      and s.hour = x.first_hour and s.node = d.node and s.device_index = d.device_index), d.first_at),
    coalesce((select max(s.last_at) from sample_hours s where s.tenant_id = $1 and s.cluster = d.cluster
      and s.device = d.device
      and s.hour = x.last_hour and s.node = d.node and s.device_index = d.device_index), d.last_at)
  from (
    -- samples of earlier hours may have been dropped, so keep an earlier first_hour
    select case when d.first_hour >= l.first_hour then coalesce(min(s.hour), d.first_hour)
        else d.first_hour end as first_hour,
      case when d.last_hour <= l.last_hour then greatest(d.first_hour, max(s.hour)) else d.last_hour end as last_hour
    from sample_hours s
    where s.tenant_id = $1 and s.cluster = d.cluster and s.device = d.device and s.node = d.node
      and s.device_index = d.device_index
  ) x)
from (select cluster, device, stored_node as node, stored_index as device_index, min(hour) as first_hour,
    max(hour) as last_hour
      from device_clashes group by cluster, device, stored_node, stored_index) l
where d.tenant_id = $1 and d.cluster = l.cluster and d.device = l.device and d.node = l.node
  and d.device_index = l.device_index
  and (d.first_hour >= l.first_hour and d.first_hour <= l.last_hour or d.last_hour >= l.first_hour
    and d.last_hour <= l.last_hour)

-- name: telemetry.touch_capacity
insert into touched
select n.node_id, n.appeared_at, n.gone_at, 'capacity'
from unnest($2::text[], $3::text[]) m (cluster, name)
join nodes n on n.tenant_id = $1 and n.cluster = m.cluster and n.name = m.name

-- name: telemetry.touch_layouts
with c as (
  select s.cluster, s.node, s.device, min(s.hour) as first_hour, max(s.hour) as last_hour
  from changed_samples s
  join devices d on d.tenant_id = $1 and d.cluster = s.cluster and d.node = s.node and d.device = s.device and d.in_mig
  group by s.cluster, s.node, s.device
), reach as (
  select c.cluster, c.node,
    case when exists (select from sample_hours p where p.tenant_id = $1 and p.cluster = c.cluster
      and p.device = c.device and p.node = c.node and p.hour < c.first_hour)
      then c.first_hour end as from_at,
    (select min(n.hour) from sample_hours n where n.tenant_id = $1 and n.cluster = c.cluster and n.device = c.device
      and n.node = c.node and n.hour > c.last_hour) as to_at
  from c
)
insert into touched
select distinct n.node_id, greatest(n.appeared_at, r.from_at), least(n.gone_at, r.to_at), 'layout'
from reach r join nodes n on n.tenant_id = $1 and n.cluster = r.cluster and n.name = r.node

-- name: telemetry.touch_names
insert into touched
select distinct n.node_id, greatest(n.appeared_at, t.hour), least(n.gone_at, t.hour + interval '1 hour'), t.reason
from touched_names t join nodes n on n.tenant_id = $1 and n.cluster = t.cluster and n.name = t.name
where n.appeared_at < t.hour + interval '1 hour' and n.gone_at > t.hour

-- name: telemetry.touch_requests
insert into touched
select w.node_id, w.hold_from, w.hold_to, 'requests'
from unnest($2::text[], $3::text[]) n (cluster, uid)
join workloads w on w.tenant_id = $1 and w.cluster = n.cluster and w.uid = n.uid

-- name: telemetry.touch_summaries
insert into stale_hours (tenant_id, hour) select distinct $1::int, hour from changed_samples order by 2

-- name: telemetry.uncover
-- Removes minutes of a source's coverage, unless the next minute stays covered.
with less as (
  select h.hour, h.minutes & ~k.mask as kept
  from source_hours h join unnest($4::timestamptz[], $5::bigint[]) k (hour, mask) on h.hour = k.hour
  where h.tenant_id = $1 and h.cluster = $2 and h.source = $3 and h.minutes & k.mask <> 0
    and not exists (
      select from source_hours n
      where n.tenant_id = $1 and n.cluster = $2 and n.source = $3 and n.hour = $6::timestamptz
        and n.minutes & $7::bigint <> 0)
), emptied as (
  delete from source_hours h using less
  where h.tenant_id = $1 and h.cluster = $2 and h.source = $3 and h.hour = less.hour and less.kept = 0
), shortened as (
  update source_hours h set minutes = less.kept
  from less
  where h.tenant_id = $1 and h.cluster = $2 and h.source = $3 and h.hour = less.hour and less.kept <> 0
), gone as (
  select hour from less
)
insert into touched
select n.node_id, greatest(n.appeared_at, g.hour), least(n.gone_at, g.hour + interval '1 hour'), 'placements seen'
from gone g join nodes n on n.tenant_id = $1 and n.cluster = $2
where n.appeared_at < g.hour + interval '1 hour' and n.gone_at > g.hour
union all
select n.node_id, g.hour, g.hour + interval '1 hour', 'sources heard'
from gone g join nodes n on n.tenant_id = $1 and n.cluster = $2
where (n.appeared_at >= g.hour + interval '1 hour' or n.gone_at <= g.hour)
  and exists (select from parts p where p.tenant_id = $1 and p.node_id = n.node_id and p.hour = g.hour)
