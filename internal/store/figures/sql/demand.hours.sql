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
