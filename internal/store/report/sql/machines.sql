-- Devices, layouts, coverage and idle hours.

-- name: report.better_layouts
-- The better layout of each card, as of the newest day of the window on which cards of its model in its cluster had
-- instances; only if it releases some cards.
select c.day, nullif(c.cluster, '') as cluster, nullif(c.model, '') as gpu_model, c.card::bigint as card,
  nullif(n.name, '') as node, c.slot::bigint as slot, c.device as device_uuid, c.device,
  array_to_string(c.had, ' ') as current_profiles, nullif(array_to_string(c.profiles, ' '), '') as proposed_profiles,
  (select string_agg(u.profile || '@' || u.start, ' ' order by u.start)
    from unnest(c.profiles, c.starts) u (profile, start)) as placement,
  c.action
from shown_layouts c
join (
  select k.cluster, k.model, max(k.at) as day from star.packing_days k
  where k.tenant_id = @tenant and k.at >= @from and k.at < @to and k.cards > 0 group by 1, 2
) newest on newest.cluster = c.cluster and newest.model = c.model and newest.day = c.day
left join nodes n on n.tenant_id = @tenant and n.node_id = c.node_id
where c.tenant_id = @tenant and c.day >= @from and c.day < @to

-- name: report.coverage
-- How much of the fleet's capacity was billed, observed and known, by time and cluster.
select h.period_start, h.cluster, nullif(n.instance_type, '') as instance_type,
       count(*)::bigint as nodes,
       count(*) filter (where h.without_bill)::bigint as nodes_without_bill,
       count(*) filter (where h.without_telemetry)::bigint as nodes_without_telemetry,
       sum(h.capacity) as capacity_gpu_hours, sum(h.billed) as billed_gpu_hours,
       sum(h.surplus) as surplus_gpu_hours, sum(h.unbilled) as unbilled_gpu_hours,
       coalesce(max(m.hours), 0) as may_be_billed_gpu_hours, max(m.cost) as would_cost,
       max(m.currency) as would_cost_currency,
       sum(h.known) as known_gpu_hours, sum(h.held) as held_gpu_hours, sum(h.unobserved) as unobserved_gpu_hours,
       sum(h.measured) as measured_gpu_hours, sum(h.estimated) as estimated_gpu_hours,
       sum(h.assumed) as assumed_gpu_hours
from (
  select @period_start as period_start, p.cluster, p.node_id, sum(p.capacity) as capacity, sum(p.billed) as billed,
         sum(p.surplus) as surplus, sum(p.unbilled) as unbilled,
         sum(p.known) as known, sum(p.held) as held, sum(p.unobserved) as unobserved, sum(p.measured) as measured,
         sum(p.estimated) as estimated, sum(p.assumed) as assumed,
         bool_and(p.without_bill) as without_bill, bool_and(p.without_telemetry) as without_telemetry
  from (
@covered_rows
  ) p
  group by 1, p.cluster, p.node_id
) h
left join nodes n on n.tenant_id = @tenant and n.node_id = h.node_id
left join (
  select p.period_start, p.cluster, p.instance_type, sum(p.hours) as hours,
    case when count(distinct p.currency) = 1 then sum(p.cost) end as cost,
         case when count(distinct p.currency) = 1 then min(p.currency) end as currency
  from (
    select @period_start as period_start, p.cluster, p.instance_type, p.hours, p.cost, p.currency
    from (
      select b.hour, nullif(n.cluster, '') as cluster, nullif(n.instance_type, '') as instance_type,
             b.usage_seconds::numeric * n.gpus / 3600 as hours,
             round(f.hourly * b.usage_seconds / 3600, 12) as cost, f.currency
      from parts b
      join nodes n on n.tenant_id = @tenant and n.node_id = b.node_id
      left join posted_rates f on f.tenant_id = @tenant and f.rate_id = b.rate_id
      where b.tenant_id = @tenant and b.hour >= @from and b.hour < @to and b.kind = 'provisional'
        and b.method = 'may be billed'
    ) p
  ) p
  group by 1, 2, 3
) m on m.period_start is not distinct from h.period_start and m.cluster is not distinct from h.cluster
  and m.instance_type is not distinct from nullif(n.instance_type, '')
group by h.period_start, h.cluster, n.instance_type

-- name: report.covered_hours
-- Capacity of machines by hour, and its billed, seen and known parts, for report.coverage and fact covered. Billed
-- GPU-hours are exact to 1e-12: seconds are whole, hours are not.
select u.hour, nullif(n.cluster, '') as cluster, u.node_id, u.capacity,
  least(u.capacity, coalesce(b.billed, 0)) as billed,
       case when b.billed > 0 then greatest(u.capacity - b.billed, 0) else 0 end as surplus,
       case when b.billed > 0 then 0 else u.capacity end as unbilled,
       u.known, u.held, u.unobserved, u.measured, u.estimated, u.assumed,
       coalesce(b.billed, 0) = 0 as without_bill, u.known = 0 as without_telemetry
from (
  select u.node_id, u.hour, sum(u.capacity_gpu_hours) as capacity,
         coalesce(sum(u.capacity_gpu_hours) filter (where u.activity <> 'unknown'), 0) as known,
         sum(u.gpu_hours) as held, coalesce(sum(u.capacity_gpu_hours) filter (where u.cause = 'unobserved'),
           0) as unobserved,
         coalesce(sum(u.capacity_gpu_hours) filter (where u.quality = 'measured'), 0) as measured,
         coalesce(sum(u.capacity_gpu_hours) filter (where u.quality = 'estimated'), 0) as estimated,
         coalesce(sum(u.capacity_gpu_hours) filter (where u.quality = 'assumed'), 0) as assumed
  from usage u
  where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to
  group by u.node_id, u.hour
) u
left join (
  select b.node_id, b.hour, round(greatest(sum(b.usage_seconds), 0) * max(m.gpus) / 3600, 12) as billed
  from parts b
  join nodes m on m.tenant_id = @tenant and m.node_id = b.node_id
  where b.tenant_id = @tenant and b.hour >= @from and b.hour < @to and b.kind = 'compute'
    and b.usage_seconds is not null
  group by b.node_id, b.hour
) b on b.node_id = u.node_id and b.hour = u.hour
left join nodes n on n.tenant_id = @tenant and n.node_id = u.node_id

-- name: report.device_usage
-- Quantities and money of the slots of machines by UTC day: postings, and usage
-- that no bill and no rate covers (docs/rules.md 8.14). Slots whose device a row
-- does not name have the newest that was seen in them by the end of the day, else
-- their first (docs/figures.md 17.1). Active hours are known where activity is.
with slots as materialized (
  select date_trunc('day', p.hour, 'UTC') as day, p.node_id, p.slot, p.device, p.mig_profile, p.owner_id, p.workload_id,
    p.cause, p.state, p.currency,
    sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost,
    sum(p.contracted_cost) as contracted_cost,
    sum(p.gpu_hours) as gpu_hours, sum(p.capacity_gpu_hours) as capacity_gpu_hours,
    sum(case when p.activity in ('active', 'idle') then p.capacity_gpu_hours
      else p.capacity_gpu_hours * 0 end) as known_gpu_hours,
    sum(p.active_gpu_hours) as active_gpu_hours, sum(p.energy_kwh) as energy_kwh
  from postings p
  where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to and p.slot is not null and p.node_id is not null
  group by 1, p.node_id, p.slot, p.device, p.mig_profile, p.owner_id, p.workload_id, p.cause, p.state, p.currency
  union all
  select date_trunc('day', u.hour, 'UTC'), u.node_id, u.slot, u.device, u.mig_profile, u.owner_id, u.workload_id,
    u.cause, 'provisional', null,
    null, null, null, null,
    sum(u.gpu_hours), sum(u.capacity_gpu_hours),
    sum(case when u.activity in ('active', 'idle') then u.capacity_gpu_hours else 0 end),
    sum(u.active_gpu_hours), sum(u.energy_kwh)
  from usage u
  where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to and u.slot >= 0
    and not exists (select from parts b where b.tenant_id = @tenant and b.node_id = u.node_id and b.hour = u.hour
      and b.hour >= @from and b.hour < @to and b.usage_seconds is not null)
  group by 1, u.node_id, u.slot, u.device, u.mig_profile, u.owner_id, u.workload_id, u.cause
), named as materialized (
  select distinct on (s.day, s.node_id, s.slot) s.day, s.node_id, s.slot, d.device
  from (select distinct day, node_id, slot from slots where device is null) s
  join nodes n on n.tenant_id = @tenant and n.node_id = s.node_id
  join devices d on d.tenant_id = @tenant and d.cluster = n.cluster and d.node = n.name and d.device_index = s.slot
  order by s.day, s.node_id, s.slot, d.first_hour < s.day + interval '1 day' desc,
    case when d.first_hour < s.day + interval '1 day' then d.first_hour end desc, d.first_hour, d.last_hour, d.device
)
select f.hour, f.node_id, f.slot, f.device, f.mig_profile, f.owner_id, f.workload_class, f.namespace, f.cause, f.state,
  f.currency,
  f.effective_cost, f.billed_cost, f.list_cost, f.contracted_cost, f.gpu_hours, f.capacity_gpu_hours, f.known_gpu_hours,
  case when f.known_gpu_hours <> 0 then f.active_gpu_hours end as active_gpu_hours,
  case when f.known_gpu_hours <> 0
    and (f.cause <> 'used' or f.gpu_hours <> 0) then f.active_gpu_hours end as held_active_gpu_hours, f.energy_kwh
from (
  select s.day as hour, s.node_id, s.slot, coalesce(s.device, d.device) as device, s.mig_profile, s.owner_id,
    nullif(w.class, '') as workload_class, nullif(w.namespace, '') as namespace, s.cause, s.state, s.currency,
    sum(s.effective_cost) as effective_cost, sum(s.billed_cost) as billed_cost, sum(s.list_cost) as list_cost,
    sum(s.contracted_cost) as contracted_cost,
    sum(s.gpu_hours) as gpu_hours, sum(s.capacity_gpu_hours) as capacity_gpu_hours,
    sum(s.known_gpu_hours) as known_gpu_hours,
    sum(s.active_gpu_hours) as active_gpu_hours, sum(s.energy_kwh) as energy_kwh
  from slots s
  left join named d on s.device is null and d.day = s.day and d.node_id = s.node_id and d.slot = s.slot
  left join workloads w on w.tenant_id = @tenant and w.workload_id = s.workload_id
  group by s.day, s.node_id, s.slot, coalesce(s.device, d.device), s.mig_profile, s.owner_id, nullif(w.class, ''),
    nullif(w.namespace, ''), s.cause, s.state, s.currency
) f

-- name: report.devices
-- Days and months of slots, or of kinds of machines if no key distinguishes their devices: usage, cost, readings and
-- error codes, as separate rows. Rows without a currency get that of their kind of machine if it has only one.
select @period_start as period_start, coalesce(p.device, coalesce(n.node, '') || '#' || p.slot) as device, n.node,
  coalesce(p.gpu_model, n.gpu_model) as gpu_model, coalesce(p.cluster, n.cluster) as cluster,
  coalesce(p.instance_type, n.instance_type) as instance_type, coalesce(p.region, n.region) as region,
  coalesce(p.zone, n.zone) as zone,
  coalesce(p.pricing, n.pricing) as pricing, coalesce(p.account, n.account) as account,
  p.namespace, p.workload_class, p.mig_profile, @owner_columns,
  p.cause, p.state, coalesce(p.currency, k.currency) as currency,
  p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost,
  p.capacity_gpu_hours, p.gpu_hours, p.known_gpu_hours, p.active_gpu_hours, p.energy_kwh, p.held_active_gpu_hours,
  case when p.currency is not null then p.gpu_hours end as priced_gpu_hours,
  case when p.currency is not null then p.active_gpu_hours end as priced_active_gpu_hours,
  p.throttled_hours, p.xid,
  p.activity_minutes, p.activity_total, p.activity_bins, p.sm_minutes, p.sm_total, p.sm_bins, p.tensor_minutes,
  p.tensor_total, p.tensor_bins,
  p.dram_minutes, p.dram_total, p.dram_bins, p.memory_minutes, p.memory_total, p.memory_bins, p.power_minutes,
  p.power_total, p.power_bins
from (
  select d.hour, d.node_id, d.gpu_model, d.cluster, d.instance_type, d.region, d.zone, d.pricing, d.account,
    d.slot, d.device, d.mig_profile, d.owner_id, d.workload_class, d.namespace, d.cause, d.state, d.currency,
    d.effective_cost, d.billed_cost, d.list_cost, d.contracted_cost,
    d.gpu_hours, d.capacity_gpu_hours, d.known_gpu_hours, d.active_gpu_hours, d.held_active_gpu_hours, d.energy_kwh,
    null::numeric as throttled_hours, null::text as xid,
    null::numeric as activity_minutes, null::numeric as activity_total, null::bigint[] as activity_bins,
    null::numeric as sm_minutes, null::numeric as sm_total, null::bigint[] as sm_bins,
    null::numeric as tensor_minutes, null::numeric as tensor_total, null::bigint[] as tensor_bins,
    null::numeric as dram_minutes, null::numeric as dram_total, null::bigint[] as dram_bins,
    null::numeric as memory_minutes, null::numeric as memory_total, null::bigint[] as memory_bins,
    null::numeric as power_minutes, null::numeric as power_total, null::bigint[] as power_bins
  from (
@device_rows
  ) d
  union all
  select s.hour, s.node_id, s.gpu_model, s.cluster, s.instance_type, s.region, s.zone, s.pricing, s.account,
    s.slot, s.device, s.mig_profile, s.owner_id, s.workload_class, s.namespace, null, null, null,
    null, null, null, null, null, null, null, null, null, null,
    s.throttled_hours, null,
    s.activity_minutes, s.activity_total / 1e6, s.activity_bins, s.sm_minutes, s.sm_total / 1e6, s.sm_bins,
    s.tensor_minutes, s.tensor_total / 1e6, s.tensor_bins,
    s.dram_minutes, s.dram_total / 1e6, s.dram_bins, s.memory_minutes, s.memory_total / 1e6, s.memory_bins,
    s.power_minutes, s.power_total / 1e3, s.power_bins
  from (
@device_signal_rows
  ) s
  union all
  select s.hour, s.node_id, s.gpu_model, s.cluster, s.instance_type, s.region, s.zone, s.pricing, s.account,
    s.slot, s.device, s.mig_profile, s.owner_id, s.workload_class, s.namespace, null, null, null,
    null, null, null, null, null, null, null, null, null, null,
    null, x.code::text,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null
  from (
@device_signal_rows
  ) s cross join unnest(s.xids) x (code)
  where s.xids <> '{}'
) p
left join ( -- look a machine's place up once, not for each of its rows
  select p.*, @place as place
  from (select n.node_id, @node_columns from nodes n where n.tenant_id = @tenant) p
) n on n.node_id = p.node_id
left join (
@place_currencies
) k on k.place = case when p.node_id is null then @place else n.place end
left join owners o on o.tenant_id = @tenant and o.owner_id = p.owner_id

-- name: report.idle_usage
-- GPU-hours of machines by hour and what they were, for star.idle. Hour of the week
-- is in UTC, 0 is Monday 00:00.
select u.hour, nullif(n.cluster, '') as cluster, nullif(n.instance_type, '') as instance_type,
       nullif(n.region, '') as region, nullif(n.gpu_model, '') as gpu_model,
       (extract(isodow from u.hour)::bigint - 1) * 24 + extract(hour from u.hour)::bigint as hour_of_week,
       u.capacity_gpu_hours, u.free_gpu_hours, u.held_idle_gpu_hours, u.idle_gpu_hours, u.observed_gpu_hours
from (
  select node_id, hour, sum(capacity_gpu_hours) as capacity_gpu_hours,
         coalesce(sum(capacity_gpu_hours) filter (where cause = 'free'), 0) as free_gpu_hours,
         coalesce(sum(capacity_gpu_hours) filter (where cause = 'held_idle'), 0) as held_idle_gpu_hours,
         coalesce(sum(capacity_gpu_hours) filter (where cause in (@idle_causes)), 0) as idle_gpu_hours,
         coalesce(sum(capacity_gpu_hours) filter (where cause <> 'unobserved' or gpu_hours > 0),
           0) as observed_gpu_hours
  from usage where tenant_id = @tenant and hour >= @from and hour < @to
  group by node_id, hour
) u
join nodes n on n.tenant_id = @tenant and n.node_id = u.node_id

-- name: report.busy_usage
-- GPU-hours that were held by hour, holder and what they were, for star.busy.
select u.hour, nullif(n.cluster, '') as cluster, nullif(n.gpu_model, '') as gpu_model,
       nullif(w.class, '') as workload_class, u.owner_id,
       (extract(isodow from u.hour)::bigint - 1) * 24 + extract(hour from u.hour)::bigint as hour_of_week,
       u.gpu_hours, u.used_gpu_hours, u.held_idle_gpu_hours
from (
  select node_id, workload_id, owner_id, hour, sum(gpu_hours) as gpu_hours,
         coalesce(sum(gpu_hours) filter (where cause = 'used'), 0) as used_gpu_hours,
         coalesce(sum(gpu_hours) filter (where cause = 'held_idle'), 0) as held_idle_gpu_hours
  from usage where tenant_id = @tenant and hour >= @from and hour < @to and held
  group by node_id, workload_id, owner_id, hour
) u
join nodes n on n.tenant_id = @tenant and n.node_id = u.node_id
left join workloads w on w.tenant_id = @tenant and w.workload_id = u.workload_id

-- name: report.layout_rows
-- Layouts of MIG cards over days, with the usage and cost of their slices: one row per layout, slice and day for its
-- time, and separate rows for the money of slices. Rows without a currency get that of their device if it has only
-- one, for all payers. Users who may see slices of a card see its layout, but not the time of all slices.
select nullif(n.cluster, '') as cluster, nullif(n.name, '') as node, p.slot::bigint as slot, p.device as device_uuid,
  p.device, nullif(n.gpu_model, '') as gpu_model,
  nullif(n.instance_type, '') as instance_type, nullif(n.region, '') as region, nullif(n.zone, '') as zone,
  nullif(n.price_class, '') as pricing, nullif(n.account, '') as account,
  p.profile, p.profile as mig_profile, p.slice_id::bigint as slice_id, p.valid_from, p.valid_to, p.weight, p.profiles,
  p.instances, p.placement,
  p.fragmentation_index, p.dead_compute, p.dead_memory, p.free_share, p.stranded_share, p.namespace, p.workload_class,
  p.frame_hours, p.held_hours, p.card_hours, p.instance_hours, p.fragmented_hours, p.dead_compute_hours,
  p.dead_memory_hours, p.instance_gpu_hours, @owner_columns,
  p.cause, p.state, coalesce(p.currency, one.currency) as currency,
  p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours, p.capacity_gpu_hours,
  p.active_gpu_hours, p.energy_kwh
from (
  select l.node_id, l.slot, l.device, l.valid_from, l.valid_to, l.profiles, l.instances, l.placement,
    l.fragmentation_index, l.dead_compute, l.dead_memory, l.free_share, l.stranded_share,
    i.slice_id, i.profile, i.weight, null::uuid as owner_id, null::text as workload_class, null::text as namespace,
    null::text as cause, null::text as state, null::text as currency,
    null::numeric as effective_cost, null::numeric as billed_cost, null::numeric as list_cost,
    null::numeric as contracted_cost,
    null::numeric as gpu_hours, null::numeric as capacity_gpu_hours, null::numeric as active_gpu_hours,
    null::numeric as energy_kwh,
    l.hours as frame_hours, i.held / 3600.0 as held_hours,
    case when i.slice_id is null then l.hours end as card_hours, case when i.slice_id is null
      and l.instances > 0 then l.hours end as instance_hours,
    case when i.slice_id is null then l.hours * l.fragmentation_index end as fragmented_hours,
    case when i.slice_id is null then l.hours * l.dead_compute end as dead_compute_hours,
      case when i.slice_id is null then l.hours * l.dead_memory end as dead_memory_hours,
    null::numeric as instance_gpu_hours
  from (@layout_spans) l
  join star.layout_days h on h.tenant_id = @tenant and h.at = l.day and h.node_id = l.node_id and h.slot = l.slot
    and h.number = l.number
  cross join lateral (
    select u.slice_id, u.profile, u.weight / l.denominator::numeric as weight, u.held
    from unnest(l.slice_ids, l.profile_list, l.weights, h.held_seconds) u (slice_id, profile, weight, held)
    where l.instances > 0
    union all
    select null, null,
      (case when l.instances = 0 then l.denominator else l.free + l.stranded end) / l.denominator::numeric,
      case when l.instances = 0 then h.held_seconds[1] end
  ) i
  where l.day >= @from and l.day < @to
  union all
  select l.node_id, l.slot, l.device, l.valid_from, l.valid_to, l.profiles, l.instances, l.placement,
    l.fragmentation_index, l.dead_compute, l.dead_memory, l.free_share, l.stranded_share,
    s.slice_id, l.profile_list[array_position(l.slice_ids, s.slice_id)],
    case when s.slice_id is not null then l.weights[array_position(l.slice_ids, s.slice_id)]
        when l.instances = 0 then l.denominator else l.free + l.stranded end / l.denominator::numeric,
    s.owner_id, s.workload_class, s.namespace, s.cause, s.state, s.currency,
    s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, s.gpu_hours, s.capacity_gpu_hours,
    s.active_gpu_hours, s.energy_kwh,
    null, null, null, null, null, null, null, case when l.instances > 0 then s.gpu_hours end
  from (@layout_spans) l
  join star.slice_days s on s.tenant_id = @tenant and s.at = l.day and s.node_id = l.node_id and s.slot = l.slot
    and s.number = l.number
  where l.day >= @from and l.day < @to and s.at >= @from and s.at < @to
) p
left join nodes n on n.tenant_id = @tenant and n.node_id = p.node_id
left join owners o on o.tenant_id = @tenant and o.owner_id = p.owner_id
left join (
  select l.device, min(s.currency) as currency
  from star.layout_seen_days l
  join star.slice_seen_days s on s.tenant_id = @tenant and s.at = l.at and s.node_id = l.node_id and s.slot = l.slot
    and s.number = l.number
  where l.tenant_id = @tenant and l.at >= @from and l.at < @to and s.at >= @from and s.at < @to
  group by l.device
  having min(s.currency) = max(s.currency)
) one on one.device = p.device

-- name: report.layout_spans
-- Days of layouts with the whole time for which each was valid: consecutive days with the same instances and the same
-- remaining capacity are one layout. Placement matters: the same instances placed elsewhere may leave less.
select x.at as day, x.node_id, x.slot, x.number, x.device, x.slice_ids, x.profiles as profile_list, x.weights,
  x.denominator, x.free, x.stranded,
  extract(epoch from x.to_at - x.from_at)::numeric / 3600 as hours, cardinality(x.slice_ids)::bigint as instances,
  array_to_string(x.profiles, ' ') as profiles,
  case when cardinality(x.slice_ids) = 0 then null when x.assumed then 'assumed' else 'known' end as placement,
  x.fragmentation_ppm / 1e6 as fragmentation_index, x.dead_compute / x.compute::numeric as dead_compute,
  x.dead_memory / x.memory::numeric as dead_memory,
  case when cardinality(x.slice_ids) = 0 then 0 else x.free / x.denominator::numeric end as free_share,
    x.stranded / x.denominator::numeric as stranded_share,
  min(x.from_at) over (partition by x.node_id, x.slot, x.stretch) as valid_from,
  max(x.to_at) over (partition by x.node_id, x.slot, x.stretch) as valid_to
from (
  select f.*, sum(f.fresh) over (partition by f.node_id, f.slot order by f.from_at, f.to_at, f.at, f.number) as stretch
  from (
    select d.*, (row(d.device, d.slice_ids, d.profiles) is distinct from row(lag(d.device) over slots,
        lag(d.slice_ids) over slots, lag(d.profiles) over slots)
                 or row(d.assumed, d.free, d.stranded, d.fragmentation_ppm, d.dead_compute,
                     d.dead_memory) is distinct from
                   row(lag(d.assumed) over slots, lag(d.free) over slots, lag(d.stranded) over slots,
                     lag(d.fragmentation_ppm) over slots, lag(d.dead_compute) over slots, lag(d.dead_memory) over slots)
                 or d.from_at > lag(d.to_at) over slots)::int as fresh
    from star.layout_seen_days d
    where d.tenant_id = @tenant
    window slots as (partition by d.node_id, d.slot order by d.from_at, d.to_at, d.at, d.number)
  ) f
) x

-- name: report.layouts
@layout_rows

-- name: report.packing
-- Days of the GPUs of a model in a cluster: how well cards in MIG mode were packed, how few cards would have been
-- enough, and the cost of the cards.
select p.period_start, nullif(p.cluster, '') as cluster, nullif(p.model, '') as gpu_model, p.cards, p.fewest, p.exact,
  p.stuck_ppm, p.free_ppm, p.cards_used,
  p.card_hours, p.fragmented_hours, p.dead_compute_hours, p.dead_memory_hours, p.gpu_hours, p.stranded_gpu_hours,
  p.state,
  coalesce(p.currency,
    case when min(p.currency) over one = max(p.currency) over one then min(p.currency) over one end) as currency,
  p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.stranded_cost, p.saving
from (
  select @period_start as period_start, p.*
  from (
    select k.at as hour, k.cluster, k.model, k.cards::bigint as cards, k.fewest::bigint as fewest,
      case when k.exact then 'yes' else 'no' end as exact, k.stuck_ppm, k.free_ppm, null::text as cards_used,
      null::numeric as card_hours, null::numeric as fragmented_hours, null::numeric as dead_compute_hours,
      null::numeric as dead_memory_hours, null::numeric as gpu_hours, null::numeric as stranded_gpu_hours,
      null::text as state, null::text as currency, null::numeric as effective_cost, null::numeric as billed_cost,
      null::numeric as list_cost, null::numeric as contracted_cost, null::numeric as stranded_cost,
      null::numeric as saving
    from star.packing_days k
    where k.tenant_id = @tenant and k.at >= @from and k.at < @to
    union all
    select l.at, n.cluster, coalesce(n.gpu_model, ''), null, null, null, null, null, l.device,
      h.hours, h.hours * l.fragmentation_ppm / 1e6, h.hours * l.dead_compute / l.compute,
      h.hours * l.dead_memory / l.memory, null, null,
      null, null, null, null, null, null, null, null
    from star.layout_days l
    cross join lateral (select extract(epoch from l.to_at - l.from_at)::numeric / 3600 as hours) h
    join nodes n on n.tenant_id = @tenant and n.node_id = l.node_id
    where l.tenant_id = @tenant and l.at >= @from and l.at < @to and cardinality(l.slice_ids) > 0
    union all
    select s.at, n.cluster, coalesce(n.gpu_model, ''), null, null, null, null, null, null,
      null, null, null, null, sum(s.gpu_hours) filter (where s.cut),
      coalesce(sum(s.capacity_gpu_hours) filter (where s.cause = 'stranded'), 0),
      @least_settled(s), s.currency, sum(s.effective_cost), sum(s.billed_cost), sum(s.list_cost), sum(s.contracted_cost),
      coalesce(sum(s.effective_cost) filter (where s.cause = 'stranded'), case when s.currency is not null then 0 end),
      sum(s.effective_cost) * (min(k.cards) - min(k.fewest)) / nullif(min(k.cards), 0)
    from (
      select v.*, cardinality(l.slice_ids) > 0 as cut,
        bool_or(cardinality(l.slice_ids) > 0) over (partition by v.at, v.node_id, v.slot, l.device) as used
      from star.slice_days v
      join star.layout_days l on l.tenant_id = @tenant and l.at = v.at and l.node_id = v.node_id and l.slot = v.slot
        and l.number = v.number
      where v.tenant_id = @tenant and v.at >= @from and v.at < @to
    ) s
    join nodes n on n.tenant_id = @tenant and n.node_id = s.node_id
    left join star.packing_days k on k.tenant_id = @tenant and k.at = s.at and k.cluster = n.cluster
      and k.model = coalesce(n.gpu_model, '')
    where s.used
    group by s.at, n.cluster, coalesce(n.gpu_model, ''), s.currency
  ) p
) p
window one as (partition by p.cluster, p.model)

-- name: report.samples
select s.hour, p.cluster, p.node, p.device, nullif(p.slice_id, -1) as slice, nullif(p.profile, '') as mig_profile,
  p.model as gpu_model,
  g.name as signal, f.minutes::bigint as minutes, f.total::numeric / f.minutes as avg, f.low as min, f.high as max,
  f.p50, f.p95
from sample_summaries s
join sample_places p on p.tenant_id = s.tenant_id and p.place_id = s.place_id
cross join lateral sample_figures(s.figures) f
join sample_signals g on g.tenant_id = s.tenant_id and g.signal = f.signal
where s.tenant_id = @tenant and s.hour >= @from and s.hour < @to

-- name: report.slices
@layout_rows
