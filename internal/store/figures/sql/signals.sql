-- Activity of workloads and runs; holders of slots and devices; usage of pods.

-- name: devices.holdings
-- The holders of each hour of each slice of a day, and for how long; the first of an hour is the one that it counts
-- for (docs/figures.md 17.2).
select u.device, coalesce(u.slice_id, -1), u.hour, u.node_id, u.slot, coalesce(u.mig_profile, ''), u.owner_id,
  coalesce(w.class, ''), coalesce(w.namespace, '')
from usage u
left join workloads w on w.tenant_id = $1 and w.workload_id = u.workload_id
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $2::timestamptz + interval '1 day' and u.slot >= 0
  and u.device is not null
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, u.held
order by u.device, u.hour, u.held desc, sum(u.seconds) desc, u.owner_id, 8, 9, 2, 4, 5, 6

-- name: devices.machines
select node_id, coalesce(provider_id, '') as provider_id, coalesce(instance_type, '') as instance_type from nodes
where tenant_id = $1 and gpus > 0

-- name: devices.summaries
-- Summaries of the hours of a day, of the named devices or of all; without those of machines themselves.
select p.cluster, p.device, p.slice_id, p.profile, p.model, s.hour, s.figures, s.sketches
from sample_summaries s
join sample_places p on p.tenant_id = s.tenant_id and p.place_id = s.place_id
where s.tenant_id = $1 and s.hour >= $2 and s.hour < $2::timestamptz + interval '1 day' and p.device not like 'host%'
  and ($3::text[] is null or p.device = any ($3))

-- name: signals.gone
-- Whether the minutes of a day are no longer kept.
select exists (select from sample_retention where tenant_id = $1 and dropped_before > $2)

-- name: signals.held
-- Who held which slice of a day's machines, and when, for the named workloads or for all: a row for each cause.
select s.node_id, s.slot, coalesce(s.slice_id, -1) as slice_id, s.workload_id, w.owner_id,
  coalesce(s.run_id, '') as run_id,
  coalesce(s.attempt_id, '00000000-0000-0000-0000-000000000000') as attempt_id, s.from_at as "from", s.to_at as "to"
from spans s
join workloads w on w.tenant_id = s.tenant_id and w.workload_id = s.workload_id
where s.tenant_id = $1 and s.day = $2 and s.slot >= 0
  and ($3::uuid[] is null or s.workload_id = any ($3))

-- name: signals.kept_hours
-- Stored counts of replicas on a day.
select workload_id, hour, merged_bins(activity_bins)
from serving_hours
where tenant_id = $1 and hour >= $2 and hour < $2::timestamptz + interval '1 day' and activity_bins is not null
group by workload_id, hour

-- name: signals.kept_runs
select run_id, coalesce(attempt_id, '00000000-0000-0000-0000-000000000000') as attempt_id, at, activity_bins as bins
from star.run_signal_days where tenant_id = $1 and at = $2

-- name: signals.kept_workloads
select workload_id, owner_id, node_id, at, activity_bins as bins from star.workload_signal_days
where tenant_id = $1 and at = $2

-- name: signals.minutes
-- The minutes of hours of slices of the day $7, by the key of the table.
select h.device, h.slice_id, h.hour, h.vectors
from unnest($2::text[], $3::text[], $4::timestamptz[], $5::int[], $6::text[]) w (cluster, device, hour, slice_id,
    profile)
join sample_hours h on h.tenant_id = $1 and h.cluster = w.cluster and h.device = w.device and h.hour = w.hour
  and h.slice_id = w.slice_id and h.profile = w.profile
where h.hour >= $7 and h.hour < $7::timestamptz + interval '1 day'

-- name: signals.slots
-- The slots of the slices that some workloads held on a day, by hour.
select u.device, coalesce(u.slice_id, -1), u.hour, u.node_id, u.slot
from usage u
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $2::timestamptz + interval '1 day' and u.slot >= 0
  and u.device is not null
  and u.workload_id = any ($3)
group by 1, 2, 3, 4, 5
order by 1, 2, 3, 4, 5

-- name: use.counters
-- Counters of containers on a day, pod by pod, each after its newest hour of the day before.
select c.cluster, c.namespace, c.pod, c.hour, c.vectors
from (
  select h.*, lead(h.hour) over (partition by h.cluster, h.namespace, h.pod, h.server, h.model, h.engine
      order by h.hour) as next
  from counter_hours h
  where h.tenant_id = $1 and h.hour >= $2::timestamptz - interval '1 day' and h.hour < $3 and h.server = 'cadvisor'
) c
where c.hour >= $2 or c.next is null or c.next >= $2
order by c.cluster, c.namespace, c.pod, c.hour

-- name: use.forget_requests
delete from request_use where tenant_id = $1

-- name: use.of_owners
-- Usage of the pods of root owners that held GPUs, over the newest four weeks.
select cluster, namespace, kind, name, days, bins_percentile(cpu, 95)::bigint as cpu_p95,
  bins_percentile(cpu, 99)::bigint as cpu_p99,
  bins_percentile(memory, 95)::bigint as memory_p95, bins_percentile(memory, 99)::bigint as memory_p99
from (
  select w.cluster, w.namespace, w.kind, w.owner_name as name, count(distinct u.at) as days,
    merged_bins(u.cpu_bins) as cpu, merged_bins(u.memory_bins) as memory
  from star.use_days u
  join lateral (
    select w.cluster, w.namespace, w.kind, w.owner_name
    from workloads w
    where w.tenant_id = u.tenant_id and w.cluster = u.cluster and w.namespace = u.namespace and w.name = u.pod
      and w.hold_from < u.at + interval '1 day' and w.hold_to > u.at
    order by w.hold_from desc, w.workload_id limit 1
  ) w on true
  where u.tenant_id = $1 and u.at > (select max(n.at) - interval '28 days' from star.use_days n where n.tenant_id = $1)
  group by w.cluster, w.namespace, w.kind, w.owner_name
) o

-- name: use.put_requests
-- The request is that of the newest pod; the number of pods is that at the newest instant at which any of them held a
-- GPU.
insert into request_use (tenant_id, cluster, namespace, kind, name, days, cpu_p95, cpu_p99, memory_p95, memory_p99,
    enough,
  cpu_suggested, memory_suggested, cpu_requested, memory_requested, pods, owner_id)
select $1, k.*, n.cpu, n.memory, coalesce(n.pods, 0), n.owner_id
from json_to_recordset($2::text::json) as k (cluster text, namespace text, kind text, name text, days int,
    cpu_p95 bigint, cpu_p99 bigint,
  memory_p95 bigint, memory_p99 bigint, enough bool, cpu_suggested bigint, memory_suggested bigint)
left join (
  select w.cluster, w.namespace, w.kind, w.owner_name,
    (array_agg((f.requests ->> 'cpu')::bigint order by w.hold_from desc, w.workload_id))[1] as cpu,
    (array_agg((f.requests ->> 'memory')::bigint order by w.hold_from desc, w.workload_id))[1] as memory,
    (array_agg(w.owner_id order by w.hold_from desc, w.workload_id))[1] as owner_id,
    count(*) filter (where w.hold_to = w.newest) as pods
  from (
    select x.*, max(x.hold_to) over (partition by x.cluster, x.namespace, x.kind, x.owner_name) as newest
    from workloads x
    where x.tenant_id = $1 and x.hold_from is not null
  ) w
  join workload_facts f on f.tenant_id = w.tenant_id and f.cluster = w.cluster and f.uid = w.uid
  group by 1, 2, 3, 4
) n on n.cluster = k.cluster and n.namespace = k.namespace and n.kind = k.kind and n.owner_name = k.name
