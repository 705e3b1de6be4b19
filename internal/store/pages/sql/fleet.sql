-- The fleet now and its devices.

-- name: fleet.device
-- Where and when a device was last seen.
select cluster, node, last_hour, last_at from devices where tenant_id = $1 and device = $2 order by last_at desc limit 1

-- name: fleet.device_evidence
select cluster, node, device, slice_id, namespace, pod as name, hour, minutes
from hold_evidence
where tenant_id = $1 and cluster = $2 and device = $3 and hour >= $4 and hour <= $5 and node = $6
order by hour desc, slice_id, namespace, pod

-- name: fleet.device_layouts
-- Stretches of hours in which each slice was seen; two hours without a row end one.
select slice_id, profile, min(first_at) as "from", max(last_at) as "to"
from (
  select slice_id, profile, first_at, last_at, sum(fresh) over (partition by slice_id, profile order by hour) as stretch
  from (
    select slice_id, profile, hour, first_at, last_at,
      (hour > lag(hour, 1, hour) over (partition by slice_id, profile order by hour) + interval '2 hours')::int as fresh
    from sample_hours
    where tenant_id = $1 and cluster = $2 and device = $3
  ) h
) s
group by slice_id, profile, stretch
order by max(last_at) desc, slice_id, profile
limit 200

-- name: fleet.device_rows
select cluster, node, device, device_index as index, model, slice_id, profile, hour, last_at, vectors
from sample_hours
where tenant_id = $1 and cluster = $2 and device = $3 and hour >= $4 and hour <= $5 and node = $6
order by hour

-- name: fleet.evidence
-- Holders that exporter rows named since hour $3, on machines with devices seen since $2.
select e.cluster, e.node, e.device, e.slice_id, e.namespace, e.pod as name, e.hour, e.minutes
from (select distinct cluster, node from devices where tenant_id = $1 and last_at >= $2) n
join hold_evidence e on e.tenant_id = $1 and e.node = n.node and e.cluster = n.cluster and e.hour >= $3

-- name: fleet.facts
-- Facts of sources about machines, for those that allocation has not seen yet.
select f.cluster, f.name, f.provider_id, f.labels
from unnest($2::text[], $3::text[]) as w (cluster, name)
join node_facts f on f.tenant_id = $1 and f.cluster = w.cluster and f.name = w.name
order by f.cluster, f.name, f.last_seen

-- name: fleet.listed
select cluster, name as node, last_seen as seen from node_facts where tenant_id = $1 and last_seen >= $2

-- name: fleet.newest
select coalesce(max(last_at), 'epoch') from devices where tenant_id = $1

-- name: fleet.nodes
-- Machines as allocation resolved them; of several with one name, the newest.
select distinct on (n.cluster, n.name) n.cluster, n.name as node, coalesce(n.instance_type, '') as instance_type,
  coalesce(n.region, '') as region, coalesce(n.zone, '') as zone, coalesce(n.price_class, '') as price_class
from unnest($2::text[], $3::text[]) as w (cluster, name)
join nodes n on n.tenant_id = $1 and n.cluster = w.cluster and n.name = w.name
order by n.cluster, n.name, n.appeared_at desc nulls last

-- name: fleet.own_device
-- Whether anything of a device is in the user's scope: by months, and by days of months that are not rolled up.
select exists (select from star.device_holder_months d where d.tenant_id = $1 and d.device = $2)
  or exists (
    select from (
      select distinct generate_series(date_trunc('month', k.first_hour at time zone 'UTC'),
        k.last_hour at time zone 'UTC', interval '1 month') as month
      from devices k where k.tenant_id = $1 and k.device = $2
    ) m
    join star.device_holder_days d on d.tenant_id = $1 and d.device = $2
      and d.at >= m.month at time zone 'UTC' and d.at < (m.month + interval '1 month') at time zone 'UTC'
    where not exists (select from rolled_months r where r.tenant_id = $1 and r.month = m.month at time zone 'UTC'))

-- name: fleet.own_device_evidence
-- fleet.device_evidence for scoped users: names within their scope, "" for all others together.
select e.cluster, e.node, e.device, e.slice_id, coalesce(w.namespace, '') as namespace, coalesce(w.name, '') as name,
  e.hour,
  bit_or(e.minutes) as minutes
from hold_words e
left join workloads w on w.tenant_id = $1 and w.workload_id = e.workload_id
where e.tenant_id = $1 and e.cluster = $2 and e.device = $3 and e.hour >= $4 and e.hour <= $5 and e.node = $6
group by e.cluster, e.node, e.device, e.hour, e.slice_id, 5, 6
order by e.hour desc, e.slice_id, 5, 6

-- name: fleet.own_evidence
-- fleet.evidence for scoped users: names within their scope, "" for others.
select e.cluster, e.node, e.device, e.slice_id, coalesce(w.namespace, '') as namespace, coalesce(w.name, '') as name,
  e.hour, e.minutes
from (select distinct cluster, node from devices where tenant_id = $1 and last_at >= $2) n
join hold_words e on e.tenant_id = $1 and e.node = n.node and e.cluster = n.cluster and e.hour >= $3
left join workloads w on w.tenant_id = $1 and w.workload_id = e.workload_id

-- name: fleet.own_placements
-- fleet.placements for scoped users: names within their scope, "" for others.
select p.cluster, p.node, p.device, p.slice_id, coalesce(w.namespace, '') as namespace, coalesce(w.name, '') as name,
  least(coalesce(p.to_at, p.last_seen), $3::timestamptz) as seen
from (select distinct cluster, node from devices where tenant_id = $1 and last_at >= $2) d
join placement_words p on p.tenant_id = $1 and p.node = d.node and p.cluster = d.cluster
  and p.completed_at is null and p.terminal_at is null and p.last_seen >= $3::timestamptz - interval '2 hours'
left join workloads w on w.tenant_id = $1 and w.workload_id = p.workload_id
where p.from_at <= $3 and coalesce(p.to_at, p.last_seen) >= $3::timestamptz - interval '2 hours'

-- name: fleet.own_spans
-- fleet.spans for scoped users: names within their scope, "" for others.
select n.cluster, n.name as node, '' as device, p.slot, coalesce(p.slice_id, -1) as slice_id,
  coalesce(w.namespace, '') as namespace,
  coalesce(w.name, '') as name
from (select distinct cluster, node from devices where tenant_id = $1 and last_at >= $2 and ($4 = '' or node = $4)) d
join nodes n on n.tenant_id = $1 and n.cluster = d.cluster and n.name = d.node
join span_words p on p.tenant_id = $1 and p.node_id = n.node_id
  and p.day in (date_trunc('day', $3::timestamptz), date_trunc('day', $3::timestamptz - interval '2 hours'))
  and p.from_at <= $3 and p.to_at > $3 - interval '2 hours'
left join workloads w on w.tenant_id = $1 and w.workload_id = p.workload_id
where p.to_at > $3
  or p.to_at >= $3 - interval '1 minute' and p.completed_at is null
  or p.completed_at is null and p.terminal_at is null and p.last_seen >= $3 - interval '5 minutes'

-- name: fleet.placed
select distinct on (cluster) cluster, hour, minutes
from source_hours
where tenant_id = $1 and hour >= $2 and minutes <> 0 and source <> 'exporter'
order by cluster, hour desc

-- name: fleet.placements
-- Holders by a claim, an annotation, a job record or a process, on machines with devices seen since $2, as of $3.
-- Placements without an end last as long as their workload is seen.
select p.cluster, p.node, p.device, p.slice_id, w.namespace, w.name,
  least(coalesce(p.to_at, w.last_seen), $3::timestamptz) as seen
from (select distinct cluster, node from devices where tenant_id = $1 and last_at >= $2) d
join workload_facts w on w.tenant_id = $1 and w.node = d.node and w.cluster = d.cluster
  and w.completed_at is null and w.terminal_at is null and w.last_seen >= $3::timestamptz - interval '2 hours'
join placements p on p.tenant_id = $1 and p.cluster = w.cluster and p.workload = w.uid and p.node = w.node
where p.from_at <= $3 and coalesce(p.to_at, w.last_seen) >= $3::timestamptz - interval '2 hours'

-- name: fleet.rows
-- The newest hour of every device that was seen since $2.
select d.cluster, d.node, s.device, s.device_index as index, s.model, s.slice_id, s.profile, s.hour, s.last_at,
  s.vectors
from devices d
join sample_hours s on s.tenant_id = d.tenant_id and s.cluster = d.cluster and s.device = d.device
  and s.hour = d.last_hour and s.node = d.node
where d.tenant_id = $1 and d.last_at >= $2

-- name: fleet.runs
-- The runs of holders on a page of machines; of several with one name, the newest.
select distinct on (w.cluster, w.namespace, w.name) w.cluster, w.namespace, w.name, w.run_id,
  coalesce(r.name, '') as run_name
from unnest($2::text[], $3::text[]) as a (cluster, name)
join nodes n on n.tenant_id = $1 and n.cluster = a.cluster and n.name = a.name
join workloads w on w.tenant_id = $1 and w.node_id = n.node_id and w.name = any($4) and w.run_id is not null
left join runs r on r.tenant_id = $1 and r.run_id = w.run_id
order by w.cluster, w.namespace, w.name, w.hold_from desc nulls last

-- name: fleet.samples
-- All samples of a page of machines in the hours from $3 to $4.
select cluster, node, device, device_index as index, model, slice_id, profile, hour, last_at, vectors
from sample_hours
where tenant_id = $1 and node = any($2) and hour >= $3 and hour <= $4

-- name: fleet.spans
-- Workloads that allocation placed on machines with devices seen since $2, as of $3: those that held then, or that
-- held when allocation last ran and have not ended since. $4 names one machine; empty: all.
select n.cluster, n.name as node, '' as device, p.slot, coalesce(p.slice_id, -1) as slice_id, w.namespace, w.name
from (select distinct cluster, node from devices where tenant_id = $1 and last_at >= $2 and ($4 = '' or node = $4)) d
join nodes n on n.tenant_id = $1 and n.cluster = d.cluster and n.name = d.node
join spans p on p.tenant_id = $1 and p.node_id = n.node_id
  and p.day in (date_trunc('day', $3::timestamptz), date_trunc('day', $3::timestamptz - interval '2 hours'))
  and p.from_at <= $3 and p.to_at > $3 - interval '2 hours' and p.workload_id is not null
join workloads w on w.tenant_id = $1 and w.workload_id = p.workload_id
left join workload_facts f on f.tenant_id = $1 and f.cluster = w.cluster and f.uid = w.uid
where p.to_at > $3
  or p.to_at >= $3 - interval '1 minute' and f.completed_at is null
  or f.completed_at is null and f.terminal_at is null and f.last_seen >= $3 - interval '5 minutes'
