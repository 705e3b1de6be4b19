-- Hours of the slots of a machine on a day by slice and holder: postings, and
-- usage that no bill and no rate covers.
select f.hour, f.slot, coalesce(f.slice_id, -1), f.workload_id, f.attempt_id, f.owner_id, coalesce(w.class, ''), coalesce(w.namespace, ''), f.cause, f.state, coalesce(f.currency, ''),
  sum(f.effective_cost), sum(f.billed_cost), sum(f.list_cost), sum(f.contracted_cost), sum(f.gpu_hours), sum(f.capacity_gpu_hours), sum(f.active_gpu_hours), sum(f.energy_kwh)
from (
  select p.hour, p.slot, p.slice_id, p.workload_id, p.attempt_id, p.owner_id, p.cause, p.state, p.currency,
    p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours, p.capacity_gpu_hours, p.active_gpu_hours, p.energy_kwh
  from postings p
  where p.tenant_id = $1 and p.node_id = $2 and p.hour >= $3 and p.hour < $3::timestamptz + interval '1 day' and p.slot is not null
  union all
  select u.hour, u.slot, u.slice_id, u.workload_id, u.attempt_id, u.owner_id, u.cause, 'provisional', null,
    null, null, null, null, u.gpu_hours, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh
  from usage u
  where u.tenant_id = $1 and u.node_id = $2 and u.hour >= $3 and u.hour < $3::timestamptz + interval '1 day' and u.slot >= 0
    and not exists (select from parts b where b.tenant_id = $1 and b.node_id = u.node_id and b.hour = u.hour and b.usage_seconds is not null
      and b.hour >= $3 and b.hour < $3::timestamptz + interval '1 day')
) f
left join workloads w on w.tenant_id = $1 and w.workload_id = f.workload_id
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
