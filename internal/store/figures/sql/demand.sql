-- Capacity that was asked for, hour by hour.

-- name: demand.costs
insert into demand_costs (tenant_id, day, cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, currency, state, effective_cost)
select $1, $2, w.cluster, w.namespace, w.kind, w.owner_name, coalesce(n.gpu_model, ''), p.mig_profile, coalesce(n.price_class, ''), coalesce(n.instance_type, ''), p.owner_id, w.class, coalesce(r.kind, ''),
  p.currency, max(p.state), sum(p.effective_cost)
from (
  select node_id, workload_id, run_id, owner_id, coalesce(mig_profile, '') as mig_profile, currency, max(state) as state, sum(effective_cost) as effective_cost
  from postings
  where tenant_id = $1 and hour >= $2 and hour < $2 + interval '1 day' and workload_id is not null and node_id is not null and usage_id is not null and effective_cost is not null
  group by 1, 2, 3, 4, 5, 6
) p
join workloads w on w.tenant_id = $1 and w.workload_id = p.workload_id
join nodes n on n.tenant_id = $1 and n.node_id = p.node_id
left join runs r on r.tenant_id = $1 and r.run_id = p.run_id
where w.owner_name <> ''
group by 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14

-- name: demand.forget
delete from demand_days where tenant_id = $1 and day = $2

-- name: demand.forget_costs
delete from demand_costs where tenant_id = $1 and day = $2

-- name: demand.hours
-- What every workload held on a day, by hour and slice, with the sketches of the
-- slice. Holders says how many had some of it in that hour.
select w.cluster, w.namespace, w.kind, w.owner_name, coalesce(n.gpu_model, ''), coalesce(u.mig_profile, ''), coalesce(n.price_class, ''), coalesce(n.instance_type, ''), u.owner_id, w.class,
  coalesce(r.kind, ''), w.service, coalesce(p.model, ''), coalesce(n.region, ''), coalesce(@provider(n.provider_id), ''),
  u.workload_id, u.hour, u.gpu_hours, u.seconds, u.holders, s.sketches
from (
  select h.*, count(*) over (partition by h.hour, h.node_id, h.slot, h.slice_id) as holders
  from (
    select hour, node_id, slot, device, slice_id, mig_profile, workload_id, owner_id, run_id, sum(gpu_hours) as gpu_hours, sum(seconds)::bigint as seconds
    from usage
    where tenant_id = $1 and hour >= $2 and hour < $2 + interval '1 day' and held and cause <> 'host'
    group by hour, node_id, slot, device, slice_id, mig_profile, workload_id, owner_id, run_id
  ) h
) u
join workloads w on w.tenant_id = $1 and w.workload_id = u.workload_id
join nodes n on n.tenant_id = $1 and n.node_id = u.node_id
left join runs r on r.tenant_id = $1 and r.run_id = u.run_id
left join sample_places p on p.tenant_id = $1 and p.cluster = n.cluster and p.node = n.name and p.device = u.device and p.slice_id = coalesce(u.slice_id, -1)
  and p.profile = coalesce(u.mig_profile, '')
left join sample_summaries s on s.tenant_id = $1 and s.place_id = p.place_id and s.hour = u.hour
  and s.hour >= $2 and s.hour < $2 + interval '1 day'
where w.owner_name <> ''
order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, u.hour, u.workload_id

-- name: demand.put
insert into demand_days (tenant_id, day, cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, service, device_model, region, provider,
  slices, gpu_hours, hours, activity, memory, slice_memory, held_hours)
select $1, $2, d.*
from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::uuid[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[],
  $18::int[], $19::text[]::numeric[], $20::int[], $21::bytea[], $22::bytea[], $23::bigint[], $24::int[]) d

-- name: demand.window
select cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, service, device_model, region, provider,
  slices, gpu_hours, hours, activity, memory, slice_memory, day, held_hours
from demand_days
where tenant_id = $1 and day >= date_trunc('day', $2::timestamptz, 'UTC') and day < $3
order by cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, day

-- name: demand.window_costs
select cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, currency, max(state), sum(effective_cost)
from demand_costs
where tenant_id = $1 and day >= date_trunc('day', $2::timestamptz, 'UTC') and day < $3
group by cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, currency
