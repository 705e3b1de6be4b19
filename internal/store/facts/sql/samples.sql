-- Merging samples, counters and evidence: the latest value wins, versions are distinguished, conflicts are kept.

-- name: telemetry.close_versions
close versions

-- name: telemetry.counter_conflicts
create temp table counter_conflicts on commit drop as
select row_number() over () as n, k.*
from (
  select tenant_id, cluster, namespace, pod, server, model, engine, hour from next_counters
  group by tenant_id, cluster, namespace, pod, server, model, engine, hour having count(*) > 1
  union
  select n.tenant_id, n.cluster, n.namespace, n.pod, n.server, n.model, n.engine, n.hour
  from next_counters n join counter_hours s on s.tenant_id = n.tenant_id and s.cluster = n.cluster
    and s.namespace = n.namespace and s.pod = n.pod and s.server = n.server and s.model = n.model
      and s.engine = n.engine and s.hour = n.hour
  where s.vectors <> n.vectors
) k

-- name: telemetry.counter_versions
declare versions no scroll cursor for
select c.n, n.vectors
from counter_conflicts c join next_counters n on n.cluster = c.cluster and n.namespace = c.namespace and n.pod = c.pod
  and n.server = c.server and n.model = c.model and n.engine = c.engine and n.hour = c.hour
union all
select c.n, s.vectors
from counter_conflicts c join counter_hours s on s.tenant_id = c.tenant_id and s.cluster = c.cluster
  and s.namespace = c.namespace and s.pod = c.pod and s.server = c.server and s.model = c.model and s.engine = c.engine
    and s.hour = c.hour
order by 1

-- name: telemetry.device_clashes
-- Nodes that lost a device to another one for an hour, and places that stored samples of a device are about to leave.
create temp table device_clashes on commit drop as
select cluster, device, hour, least(node, stored_node) as lost_node, stored_node, stored_index,
  node <> stored_node as clash
from sample_matches
where node <> stored_node or displaced
union all
select n.cluster, n.device, n.hour, n.node, n.node, n.device_index, true
from next_samples n
join (select cluster, device, hour, max(node) as node from next_samples group by cluster, device, hour
    having min(node) <> max(node)) k
  on k.cluster = n.cluster and k.device = n.device and k.hour = n.hour and k.node <> n.node

-- name: telemetry.device_conflicts
insert into fact_conflicts as c (tenant_id, what, cluster, subject, value, first_hour, last_hour)
select $1, $2, cluster, device, lost_node, min(hour), max(hour)
from device_clashes
where clash
group by cluster, device, lost_node
on conflict (tenant_id, what, cluster, subject, value) do update
set first_hour = least(c.first_hour, excluded.first_hour), last_hour = greatest(c.last_hour, excluded.last_hour)
where excluded.first_hour < c.first_hour or excluded.last_hour > c.last_hour

-- name: telemetry.drop_known_evidence
delete from next_evidence n using hold_evidence h
where n.tenant_id = $1 and h.tenant_id = $1 and h.cluster = n.cluster and h.device = n.device
  and h.slice_id = n.slice_id and h.namespace = n.namespace
  and h.pod = n.pod and h.hour = n.hour and h.minutes | n.minutes = h.minutes and h.node >= n.node

-- name: telemetry.insert_counters
insert into counter_hours
select n.* from next_counters n
where n.tenant_id = $1 and not exists (select from counter_conflicts c where c.cluster = n.cluster
  and c.namespace = n.namespace and c.pod = n.pod and c.server = n.server and c.model = n.model and c.engine = n.engine
    and c.hour = n.hour)
on conflict do nothing

-- name: telemetry.insert_samples
with added as (
  insert into sample_hours (tenant_id, cluster, device, hour, slice_id, profile, node, device_index, model, first_at,
      last_at, row_count, vectors)
  select n.tenant_id, n.cluster, n.device, n.hour, n.slice_id, n.profile, n.node, n.device_index, n.model, n.first_at,
    n.last_at, n.row_count, n.vectors
  from next_samples n
  where n.tenant_id = $1
    and not exists (select from sample_conflicts c where c.cluster = n.cluster and c.device = n.device
      and c.hour = n.hour and c.slice_id = n.slice_id and c.profile = n.profile)
    and not exists (select from sample_matches s where s.stored and s.cluster = n.cluster and s.device = n.device
      and s.hour = n.hour and s.slice_id = n.slice_id and s.profile = n.profile)
  returning cluster, device, hour, slice_id, profile, node, device_index, model, first_at, last_at
)
insert into changed_samples select * from added

-- name: telemetry.match_samples
-- Staged samples with the stored ones of their device and hour: under the same key, and of the same device on another
-- node.
create temp table sample_matches on commit drop as
select n.cluster, n.device, n.hour, n.slice_id, n.profile, n.node, s.node as stored_node,
  s.device_index as stored_index,
  s.slice_id = n.slice_id and s.profile = n.profile as stored,
  s.slice_id = n.slice_id and s.profile = n.profile
    and (s.node < n.node or s.device_index < n.device_index) as displaced,
  s.slice_id = n.slice_id and s.profile = n.profile
    and (s.vectors <> n.vectors or s.node < n.node or s.device_index < n.device_index or s.model < n.model) as differs
from next_samples n
join sample_hours s on s.tenant_id = n.tenant_id and s.cluster = n.cluster and s.device = n.device and s.hour = n.hour
where s.slice_id = n.slice_id and s.profile = n.profile or s.node <> n.node

-- name: telemetry.merge_conflicts
insert into fact_conflicts select * from next_conflicts where tenant_id = $1 on conflict do nothing

-- name: telemetry.merge_counters
insert into counter_hours as s (tenant_id, cluster, namespace, pod, server, model, engine, hour, vectors)
select $1, c.cluster, c.namespace, c.pod, c.server, c.model, c.engine, c.hour, m.vectors
from counter_conflicts c join merged_vectors m using (n)
on conflict (tenant_id, cluster, namespace, pod, server, model, engine, hour) do update set vectors = excluded.vectors
where s.vectors <> excluded.vectors

-- name: telemetry.merge_device_facts
with said as (
  select cluster, node, device, max(device_index) as device_index, max(model) as model, bool_or(in_mig) as in_mig,
    bool_or(registered) as registered,
    min(first_at) as first_at, max(last_at) as last_at
  from next_devices
  group by cluster, node, device
), old as ( -- as before this statement
  select f.*
  from said s join device_facts f on f.tenant_id = $1 and f.cluster = s.cluster and f.node = s.node
    and f.device = s.device
), merged as (
  insert into device_facts as f (tenant_id, cluster, node, device, device_index, model, in_mig, registered, first_at,
      last_at)
  select $1, * from said
  on conflict (tenant_id, cluster, node, device) do update
  set device_index = greatest(f.device_index, excluded.device_index), model = greatest(f.model, excluded.model),
    in_mig = f.in_mig or excluded.in_mig, registered = f.registered or excluded.registered,
    first_at = least(f.first_at, excluded.first_at), last_at = greatest(f.last_at, excluded.last_at)
  where (f.device_index, f.model, f.in_mig, f.registered, f.first_at, f.last_at) is distinct from
    (greatest(f.device_index, excluded.device_index), greatest(f.model, excluded.model), f.in_mig or excluded.in_mig,
      f.registered or excluded.registered,
     least(f.first_at, excluded.first_at), greatest(f.last_at, excluded.last_at))
  returning *
), moved as ( -- seeing a card a while longer changes no slot
  select distinct m.cluster, m.node
  from merged m
  left join old o using (cluster, node, device)
  where (m.device_index, m.model, m.in_mig, m.registered) is distinct from (o.device_index, o.model, o.in_mig,
      o.registered)
)
insert into touched
select n.node_id, n.appeared_at, n.gone_at, 'devices'
from moved m join nodes n on n.tenant_id = $1 and n.cluster = m.cluster and n.name = m.node

-- name: telemetry.merge_devices
-- The very first sample can change to a later one when a later sample of its minute wins; telemetry.refresh_devices
-- handles those.
insert into devices as d (tenant_id, cluster, node, device, device_index, model, in_mig, first_hour, last_hour,
    first_at, last_at)
select $1, cluster, node, device, device_index, max(model), bool_or(slice_id >= 0), min(hour), max(hour), min(first_at),
  max(last_at)
from changed_samples
where device not like 'host/%' -- a machine's own samples belong to no device
group by cluster, node, device, device_index
on conflict (tenant_id, cluster, node, device, device_index) do update
set model = greatest(d.model, excluded.model), in_mig = d.in_mig or excluded.in_mig,
  first_hour = least(d.first_hour, excluded.first_hour), last_hour = greatest(d.last_hour, excluded.last_hour),
  first_at = least(d.first_at, excluded.first_at), last_at = greatest(d.last_at, excluded.last_at)
where d.model < excluded.model or excluded.in_mig and not d.in_mig or excluded.first_hour < d.first_hour
  or excluded.last_hour > d.last_hour
  or excluded.first_at < d.first_at or excluded.last_at > d.last_at

-- name: telemetry.merge_evidence
with merged as (
  insert into hold_evidence as h (tenant_id, cluster, device, slice_id, namespace, pod, hour, node, minutes)
  select $1, cluster, device, slice_id, namespace, pod, hour, max(node), bit_or(minutes)
  from next_evidence
  group by cluster, device, slice_id, namespace, pod, hour
  on conflict (tenant_id, cluster, device, slice_id, namespace, pod, hour) do update
  set minutes = h.minutes | excluded.minutes, node = greatest(h.node, excluded.node)
  where h.minutes | excluded.minutes <> h.minutes or h.node < excluded.node
  returning cluster, node, hour
)
insert into touched_names select distinct cluster, node, hour, 'evidence minutes' from merged

-- name: telemetry.merge_samples
with merged as (
  insert into sample_hours as s (tenant_id, cluster, device, hour, slice_id, profile, node, device_index, model,
      first_at, last_at, row_count, vectors)
  select c.tenant_id, c.cluster, c.device, c.hour, c.slice_id, c.profile, c.node, c.device_index, c.model,
    c.hour + m.first_second * interval '1 second', c.hour + m.last_second * interval '1 second', c.row_count, m.vectors
  from sample_conflicts c
  join merged_vectors m on m.n = c.n
  where c.tenant_id = $1
  on conflict (tenant_id, cluster, device, hour, slice_id, profile) do update
  set node = greatest(s.node, excluded.node), device_index = greatest(s.device_index, excluded.device_index),
    model = greatest(s.model, excluded.model), first_at = excluded.first_at, last_at = excluded.last_at,
    row_count = greatest(s.row_count, excluded.row_count), vectors = excluded.vectors
  where s.vectors <> excluded.vectors or s.node < excluded.node or s.device_index < excluded.device_index
    or s.model < excluded.model
  returning cluster, device, hour, slice_id, profile, node, device_index, model, first_at, last_at
)
insert into changed_samples select * from merged

-- name: telemetry.new_pairs
-- The first evidence of a slice in a hold decides the whole hold.
insert into touched
select w.node_id, w.hold_from, w.hold_to, 'evidence'
from (select cluster, device, slice_id, namespace, pod, min(hour) as first, max(hour) as last from next_evidence
    group by cluster, device, slice_id, namespace, pod) e
join workloads w on w.tenant_id = $1 and w.cluster = e.cluster and w.namespace = e.namespace and w.name = e.pod
where w.hold_from < e.last + interval '1 hour' and (w.hold_to > e.first or w.outcome = 'running')
  and not exists (
    select from hold_evidence h
    cross join lateral (select greatest(0, floor(extract(epoch from w.hold_from - h.hour) / 60))::int as first,
      least(60, ceil(extract(epoch from w.hold_to - h.hour) / 60))::int as after) minute
    where h.tenant_id = $1 and h.cluster = e.cluster and h.device = e.device and h.slice_id = e.slice_id
      and h.namespace = e.namespace and h.pod = e.pod
      and h.hour > w.hold_from - interval '1 hour' and h.hour < w.hold_to
      and (h.minutes >> minute.first) & ((1::bigint << (minute.after - minute.first)) - 1) <> 0)

-- name: telemetry.refresh_devices
update devices d
set first_at = (select min(s.first_at) from sample_hours s
      where s.tenant_id = d.tenant_id and s.cluster = d.cluster and s.device = d.device and s.hour = d.first_hour
        and s.node = d.node and s.device_index = d.device_index)
from (select cluster, node, device, device_index, min(hour) as first_hour, min(first_at) as first_at
      from changed_samples group by cluster, node, device, device_index) c
where d.tenant_id = $1 and d.cluster = c.cluster and d.node = c.node and d.device = c.device
  and d.device_index = c.device_index
  and d.first_hour = c.first_hour and d.first_at < c.first_at

-- name: telemetry.sample_conflicts
-- Hours that were staged more than once or differ from the stored ones, with the staged properties other than vectors.
create temp table sample_conflicts on commit drop as
select row_number() over () as n, tenant_id, cluster, device, hour, slice_id, profile,
  max(node) as node, max(device_index) as device_index, max(model) as model, max(row_count) as row_count
from next_samples x
group by tenant_id, cluster, device, hour, slice_id, profile
having count(*) > 1
  or (cluster, device, hour, slice_id, profile) in (select cluster, device, hour, slice_id, profile from sample_matches
      where differs)

-- name: telemetry.sample_versions
declare versions no scroll cursor for
select c.n, n.vectors
from sample_conflicts c join next_samples n on n.cluster = c.cluster and n.device = c.device and n.hour = c.hour
  and n.slice_id = c.slice_id and n.profile = c.profile
union all
select c.n, s.vectors
from sample_conflicts c join sample_hours s on s.tenant_id = c.tenant_id and s.cluster = c.cluster
  and s.device = c.device and s.hour = c.hour and s.slice_id = c.slice_id and s.profile = c.profile
order by 1

-- name: telemetry.settings
set local cursor_tuple_fraction = 1;
set local work_mem = '64MB';
-- A process that hangs here must not block all other publishers.
set local idle_in_transaction_session_timeout = '60s'

-- name: telemetry.touch_samples
insert into touched_names select distinct cluster, node, hour, 'samples' from changed_samples
