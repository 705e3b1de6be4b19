-- Requested capacity, hour by hour.

-- name: demand.hours
-- Usage of every workload on a day, by hour and slice, with the sketches of the slice. Holders is how many workloads
-- held some of the slice in that hour.
select w.cluster, w.namespace, w.kind, w.owner_name as name, coalesce(n.gpu_model, '') as gpu_model,
  coalesce(u.mig_profile, '') as profile,
  coalesce(n.price_class, '') as price_class, coalesce(n.instance_type, '') as instance_type, u.owner_id, w.class,
  coalesce(r.kind, '') as run_kind, w.service, coalesce(p.model, '') as device, coalesce(n.region, '') as region,
  coalesce(@provider(n.provider_id), '') as provider, u.workload_id as workload, u.hour, u.gpu_hours, u.seconds,
  u.holders, s.sketches
from (
  select h.*, count(*) over (partition by h.hour, h.node_id, h.slot, h.slice_id) as holders
  from (
    select hour, node_id, slot, device, slice_id, mig_profile, workload_id, owner_id, run_id,
      sum(gpu_hours) as gpu_hours, sum(seconds)::bigint as seconds
    from usage
    where tenant_id = $1 and hour >= $2 and hour < $2 + interval '1 day' and held and cause <> 'host'
    group by hour, node_id, slot, device, slice_id, mig_profile, workload_id, owner_id, run_id
  ) h
) u
join workloads w on w.tenant_id = $1 and w.workload_id = u.workload_id
join nodes n on n.tenant_id = $1 and n.node_id = u.node_id
left join runs r on r.tenant_id = $1 and r.run_id = u.run_id
left join sample_places p on p.tenant_id = $1 and p.cluster = n.cluster and p.node = n.name and p.device = u.device
  and p.slice_id = coalesce(u.slice_id, -1)
  and p.profile = coalesce(u.mig_profile, '')
left join sample_summaries s on s.tenant_id = $1 and s.place_id = p.place_id and s.hour = u.hour
  and s.hour >= $2 and s.hour < $2 + interval '1 day'
where w.owner_name <> ''
order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, u.hour, u.workload_id

-- name: demand.sums
-- Demand of a window by key and currency; attributes of the slices are those of the newest day.
select d.*, c.currency, c.state, c.cost
from (
  select cluster, namespace, kind, name,
    gpu_model, mig_profile as profile, price_class, instance_type, owner_id, class, run_kind,
    (array_agg(service order by at desc))[1] as service, (array_agg(device_model order by at desc))[1] as device,
    (array_agg(region order by at desc))[1] as region, (array_agg(provider order by at desc))[1] as provider,
    max(slices) as slices, sum(gpu_hours) as gpu_hours, sum(hours)::bigint as hours,
    count(*) filter (where hours > 0) as days,
    merged_bins(activity_bins) as activity_bins, merged_bins(memory_bins) as memory_bins,
    max(slice_memory) as slice_memory,
    array_agg(at order by at) as held_on, array_agg(held_hours order by at) as held_hours
  from star.demand_days
  where tenant_id = $1 and at >= date_trunc('day', $2::timestamptz, 'UTC') and at < $3
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
) d
join (
  select cluster, namespace, kind, name,
    gpu_model, mig_profile as profile, price_class, instance_type, owner_id, class, run_kind,
    currency, max(state) as state, sum(effective_cost) as cost
  from star.demand_cost_days
  where tenant_id = $1 and at >= date_trunc('day', $2::timestamptz, 'UTC') and at < $3
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, currency
) c using (cluster, namespace, kind, name, gpu_model, profile, price_class, instance_type, owner_id, class, run_kind)
order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, c.currency
