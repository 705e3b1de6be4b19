-- A charge down to its line: parts, shares, samples.

-- name: explain.charge
-- A charge of a current delivery. It is final when its month is closed.
select d.delivery_id, c.currency, c.effective_cost, c.billed_cost, c.list_cost, c.contracted_cost,
  case when s.state = 'closed' then 'final' else 'open' end as state
from deliveries d
cross join lateral (
  select * from charge_lines l where l.tenant_id = $1 and l.delivery = d.number and l.charge_id = $2 offset 0
) c
left join period_states s on s.tenant_id = $1 and s.calendar = 'billing' and s.name = c.billing_period
  and s.billing_account = c.billing_account
where d.tenant_id = $1 and d.state = 'current'
order by d.rank desc, d.preference desc, d.delivery_id
limit 1

-- name: explain.charge_parts
-- All parts of a charge: of a delivery, and those that closed periods took back.
with b as (select * from parts where tenant_id = $1 and delivery_id = $2 and charge_id = $3)
@part_lines(b)

-- name: explain.charge_shares
-- Amounts posted from the parts of a charge.
select @part_share(p)
from parts b join postings p on p.tenant_id = $1 and p.hour = b.hour and p.part_id = b.part_id
where b.tenant_id = $1 and b.delivery_id = $2 and b.charge_id = $3
group by p.part_id, p.hour, p.currency

-- name: explain.holders
-- The believed holders in the node-hours: workloads with usage there, with exporter rows that named them and
-- placements as evidence.
with held as (
  select distinct k.node_id, k.hour, u.device, u.slice_id, u.workload_id
  from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
  join usage u on u.tenant_id = $1 and u.node_id = k.node_id and u.hour = k.hour and u.workload_id is not null
)
select h.node_id as node, h.hour, coalesce(nullif(w.namespace, '') || '/', '') || w.name as holder, w.uid, w.kind,
  w.class,
  w.hold_from as "from", w.hold_to as "to", w.outcome,
  coalesce(p.evidence, case when e.minutes > 0 then 'exporter_rows' else 'request' end) as basis,
  h.device, h.slice_id as slice, coalesce(e.minutes, 0) as minutes, p.core, p.memory
from held h
join workloads w on w.tenant_id = $1 and w.workload_id = h.workload_id
join nodes n on n.tenant_id = $1 and n.node_id = h.node_id
left join lateral (
  select max(bit_count(v.minutes::bit(64)))::int as minutes from hold_evidence v
  where v.tenant_id = $1 and v.cluster = n.cluster and v.node = n.name and v.hour = h.hour and v.device = h.device
    and v.slice_id = coalesce(h.slice_id, -1)
    and v.namespace = w.namespace and v.pod = w.name
) e on true
left join lateral (
  select l.evidence, nullif(l.core_share, -1) as core, nullif(l.memory_share, -1) as memory from placements l
  where l.tenant_id = $1 and l.cluster = w.cluster and l.workload = w.uid and l.node = n.name
    and (l.device = h.device or l.device like '#%') and l.slice_id = coalesce(h.slice_id, -1)
    and l.from_at < h.hour + interval '1 hour' and (l.to_at is null or l.to_at > h.hour)
  order by array_position('{resource_claim,annotation,job_record,process}'::text[], l.evidence), l.from_at limit 1
) p on p.evidence <> 'process' or coalesce(e.minutes, 0) = 0
order by h.hour, h.node_id, h.device, h.slice_id nulls first, w.uid

-- name: explain.named_nodes
select node_id from nodes where tenant_id = $1 and (name = $2 or node_id::text = $2 or instance_id = $2)

-- name: explain.node_parts
-- Parts that are split over the usage rows of the node-hours, with the bill lines and rates behind them.
with b as (
  select b.* from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
  join parts b on b.tenant_id = $1 and b.node_id = k.node_id and b.hour = k.hour
    and b.kind in ('compute', 'provisional')
)
@part_lines(b)

-- name: explain.node_places
-- Attributes of machines, for policies and evidence.
select node_id, cluster, name, coalesce(instance_type, '') as instance_type, coalesce(gpu_model, '') as gpu_model
from nodes where tenant_id = $1 and node_id = any($2)

-- name: explain.nodes
-- The node-hours, with counts of the telemetry behind them.
select k.hour, coalesce(n.name, '') as node, coalesce(n.cluster, '') as cluster,
  coalesce((select sum(s.row_count) from sample_hours s
    where s.tenant_id = $1 and s.cluster = n.cluster and s.node = n.name and s.hour = k.hour), 0)::bigint as samples,
  coalesce((select sum(bit_count(e.minutes::bit(64))) from hold_evidence e
    where e.tenant_id = $1 and e.cluster = n.cluster and e.node = n.name and e.hour = k.hour),
      0)::bigint as placement_minutes
from unnest($2::uuid[], $3::timestamptz[]) with ordinality k(node_id, hour, place)
left join nodes n on n.tenant_id = $1 and n.node_id = k.node_id
order by k.place

-- name: explain.own_charge_shares
-- Amounts posted from the parts of a bill line to the viewer's scope.
select @part_share(p)
from delivery_words d
join part_words b on b.tenant_id = $1 and b.delivery_id = d.delivery_id and b.charge_id = $2
join postings p on p.tenant_id = $1 and p.hour = b.hour and p.part_id = b.part_id
where d.tenant_id = $1 and d.state = 'current'
group by p.part_id, p.hour, p.currency

-- name: explain.own_lines
-- The bill lines of parts, and how many postings each part has, without amounts.
select b.part_id, b.hour, n.name as node, n.cluster, b.kind, c.source_file as file, c.line, c.service_name as service,
  c.price_class as price, b.postings
from unnest($2::uuid[], $3::timestamptz[]) k(part_id, hour)
join part_words b on b.tenant_id = $1 and b.hour = k.hour and b.part_id = k.part_id
left join nodes n on n.tenant_id = $1 and n.node_id = b.node_id
left join delivery_words d on d.tenant_id = $1 and d.delivery_id = b.delivery_id
left join lateral (
  select * from charge_words l where l.tenant_id = $1 and l.delivery = d.number and l.charge_id = b.charge_id offset 0
) c on true
order by b.hour, n.name, b.kind, c.source_file, c.line, b.part_id

-- name: explain.own_samples
-- Sample rows of the node-hours, of all holders: the caller shows only those of slices with the viewer's rows.
select k.node_id as node, k.hour, s.device_index as slot, s.device, s.slice_id, s.profile, s.row_count, s.vectors
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join nodes n on n.tenant_id = $1 and n.node_id = k.node_id
join sample_words s on s.tenant_id = $1 and s.cluster = n.cluster and s.node = n.name and s.hour = k.hour
order by k.hour, k.node_id, s.device_index, s.device, s.slice_id, s.profile

-- name: explain.parts
-- Parts by id and hour.
with b as (
  select b.* from unnest($2::uuid[], $3::timestamptz[]) k(part_id, hour)
  join parts b on b.tenant_id = $1 and b.part_id = k.part_id and b.hour = k.hour
)
@part_lines(b)

-- name: explain.posting
-- A posting with its part, node and hour.
select p.hour as at, p.part_id as part, p.usage_id as usage, p.node_id as node, p.posting_id, p.hour,
  p.billing_period as period,
  p.cause, p.activity, p.kind, p.adjusts, coalesce(o.team, '') as team, p.owner_id as owner, p.method, p.quality,
  p.state,
  p.policy_version as policy, p.usage_id, nullif(p.run_id, '') as run_id
from postings p
left join owners o on o.tenant_id = p.tenant_id and o.owner_id = p.owner_id
where p.tenant_id = $1 and p.posting_id = $2

-- name: explain.posting_shares
-- One posting as a share of its part.
select @part_share(p)
from postings p where p.tenant_id = $1 and p.hour = $3 and p.posting_id = $2
group by p.part_id, p.hour, p.currency

-- name: explain.rows
-- All usage rows of the node-hours; the caller sorts them by row key.
select u.node_id as node, u.hour, u.usage_id, u.usage_id as usage, u.slot, u.slice_id as slice, u.device,
  u.mig_profile as profile,
  coalesce(w.uid, '') as uid, coalesce(w.namespace || '/' || nullif(w.name, ''), '') as holder,
  nullif(u.run_id, '') as run_id,
  a.attempt, coalesce(a.task, '') as task, o.team, u.cause, u.activity, u.seconds, u.active_seconds as active,
  u.weight_num::text, u.weight_den::text, u.quality, u.method, f.hour is not null as final
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join usage u on u.tenant_id = $1 and u.node_id = k.node_id and u.hour = k.hour
left join frozen_hours f on f.tenant_id = $1 and f.node_id = u.node_id and f.hour = u.hour
left join workloads w on w.tenant_id = $1 and w.workload_id = u.workload_id
left join attempts a on a.tenant_id = $1 and a.attempt_id = u.attempt_id
left join owners o on o.tenant_id = $1 and o.owner_id = u.owner_id

-- name: explain.samples
-- Sample rows of the node-hours.
select k.node_id as node, k.hour, s.device_index as slot, s.device, s.slice_id, s.profile, s.row_count, s.vectors
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join nodes n on n.tenant_id = $1 and n.node_id = k.node_id
join sample_hours s on s.tenant_id = $1 and s.cluster = n.cluster and s.node = n.name and s.hour = k.hour
order by k.hour, k.node_id, s.device_index, s.device, s.slice_id, s.profile

-- name: explain.summaries
-- Summaries of the node-hours whose minutes are no longer kept.
select k.node_id as node, k.hour, p.device_index as slot, p.device, p.slice_id, p.profile, g.name as signal,
  f.minutes as known,
  f.total as sum, f.low, f.high
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join nodes n on n.tenant_id = $1 and n.node_id = k.node_id
join sample_places p on p.tenant_id = $1 and p.cluster = n.cluster and p.node = n.name
join sample_summaries s on s.tenant_id = $1 and s.place_id = p.place_id and s.hour = k.hour
cross join lateral sample_figures(s.figures) f
join sample_signals g on g.tenant_id = $1 and g.signal = f.signal
order by k.hour, k.node_id, p.device_index, p.device, p.slice_id, p.profile, f.signal

-- name: explain.usage
-- The node and hour of a usage row.
select node_id as node, hour from usage where tenant_id = $1 and usage_id = $2
