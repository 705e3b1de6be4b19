-- Layouts of MIG cards over days, with what their slices were used for and cost:
-- one row per layout, slice and day for its time, and the money rows of slices
-- under them. What has no currency stands with that of its device where it has
-- one only, whoever pays. Who sees slices of a card sees how it was cut,
-- but not the time of all.
select nullif(n.cluster, '') as cluster, nullif(n.name, '') as node, p.slot::bigint as slot, p.device as device_uuid, p.device, nullif(n.gpu_model, '') as gpu_model,
  nullif(n.instance_type, '') as instance_type, nullif(n.region, '') as region, nullif(n.zone, '') as zone, nullif(n.price_class, '') as pricing, nullif(n.account, '') as account,
  p.profile, p.profile as mig_profile, p.slice_id::bigint as slice_id, p.valid_from, p.valid_to, p.weight, p.profiles, p.instances, p.placement,
  p.fragmentation_index, p.dead_compute, p.dead_memory, p.free_share, p.stranded_share, p.namespace, p.workload_class,
  p.frame_hours, p.held_hours, p.card_hours, p.instance_hours, p.fragmented_hours, p.dead_compute_hours, p.dead_memory_hours, p.instance_gpu_hours, @owner_columns,
  p.cause, p.state, coalesce(p.currency, one.currency) as currency,
  p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours, p.capacity_gpu_hours, p.active_gpu_hours, p.energy_kwh
from (
  select l.node_id, l.slot, l.device, l.valid_from, l.valid_to, l.profiles, l.instances, l.placement, l.fragmentation_index, l.dead_compute, l.dead_memory, l.free_share, l.stranded_share,
    i.slice_id, i.profile, i.weight, null::uuid as owner_id, null::text as workload_class, null::text as namespace, null::text as cause, null::text as state, null::text as currency,
    null::numeric as effective_cost, null::numeric as billed_cost, null::numeric as list_cost, null::numeric as contracted_cost,
    null::numeric as gpu_hours, null::numeric as capacity_gpu_hours, null::numeric as active_gpu_hours, null::numeric as energy_kwh,
    l.hours as frame_hours, i.held / 3600.0 as held_hours,
    case when i.slice_id is null then l.hours end as card_hours, case when i.slice_id is null and l.instances > 0 then l.hours end as instance_hours,
    case when i.slice_id is null then l.hours * l.fragmentation_index end as fragmented_hours,
    case when i.slice_id is null then l.hours * l.dead_compute end as dead_compute_hours, case when i.slice_id is null then l.hours * l.dead_memory end as dead_memory_hours,
    null::numeric as instance_gpu_hours
  from (@layout_spans) l
  cross join lateral (
    select u.slice_id, u.profile, u.weight / l.denominator::numeric as weight, u.held
    from unnest(l.slice_ids, l.profile_list, l.weights, l.held_seconds) u (slice_id, profile, weight, held)
    where l.instances > 0
    union all
    select null, null, (case when l.instances = 0 then l.denominator else l.free + l.stranded end) / l.denominator::numeric, case when l.instances = 0 then l.held_seconds[1] end
  ) i
  where l.day >= @from and l.day < @to
  union all
  select l.node_id, l.slot, l.device, l.valid_from, l.valid_to, l.profiles, l.instances, l.placement, l.fragmentation_index, l.dead_compute, l.dead_memory, l.free_share, l.stranded_share,
    s.slice_id, l.profile_list[array_position(l.slice_ids, s.slice_id)],
    case when s.slice_id is not null then l.weights[array_position(l.slice_ids, s.slice_id)] when l.instances = 0 then l.denominator else l.free + l.stranded end / l.denominator::numeric,
    s.owner_id, s.class, s.namespace, s.cause, s.state, s.currency,
    s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, s.gpu_hours, s.capacity_gpu_hours, s.active_gpu_hours, s.energy_kwh,
    null, null, null, null, null, null, null, case when l.instances > 0 then s.gpu_hours end
  from (@layout_words) l
  join slice_days s on s.tenant_id = @tenant and s.day = l.day and s.node_id = l.node_id and s.slot = l.slot and s.number = l.number
  where l.day >= @from and l.day < @to and s.day >= @from and s.day < @to
) p
left join nodes n on n.tenant_id = @tenant and n.node_id = p.node_id
left join owners o on o.tenant_id = @tenant and o.owner_id = p.owner_id
left join (
  select l.device, min(s.currency) as currency
  from layout_words l
  join slice_words s on s.tenant_id = @tenant and s.day = l.day and s.node_id = l.node_id and s.slot = l.slot
    and s.number = l.number
  where l.tenant_id = @tenant and l.day >= @from and l.day < @to and s.day >= @from and s.day < @to
  group by l.device
  having min(s.currency) = max(s.currency)
) one on one.device = p.device
