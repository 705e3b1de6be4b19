-- Quantities and money of the slots of a day: postings, and usage that no bill
-- and no rate covers (docs/rules.md 8.14). Slots whose device a row does not
-- name have the newest that was seen in them by the end of the day, else their
-- first (docs/figures.md 17.1).
insert into device_days (tenant_id, day, node_id, slot, device, mig_profile, owner_id, class, namespace, cause, state, currency,
  effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, known_gpu_hours, active_gpu_hours, energy_kwh)
select $1, $2, f.node_id, f.slot, coalesce(f.device, s.device), f.mig_profile, f.owner_id, nullif(w.class, ''), nullif(w.namespace, ''), f.cause, f.state, f.currency,
  sum(f.effective_cost), sum(f.billed_cost), sum(f.list_cost), sum(f.contracted_cost),
  sum(f.gpu_hours), sum(f.capacity_gpu_hours), sum(f.known_gpu_hours), sum(f.active_gpu_hours), sum(f.energy_kwh)
from (
  select p.node_id, p.slot, p.device, p.mig_profile, p.owner_id, p.workload_id, p.cause, p.state, p.currency,
    sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost,
    sum(p.gpu_hours) as gpu_hours, sum(p.capacity_gpu_hours) as capacity_gpu_hours,
    sum(case when p.activity in ('active', 'idle') then p.capacity_gpu_hours else p.capacity_gpu_hours * 0 end) as known_gpu_hours,
    sum(p.active_gpu_hours) as active_gpu_hours, sum(p.energy_kwh) as energy_kwh
  from postings p
  where p.tenant_id = $1 and p.hour >= $2 and p.hour < $2::timestamptz + interval '1 day' and p.slot is not null and p.node_id is not null
  group by p.node_id, p.slot, p.device, p.mig_profile, p.owner_id, p.workload_id, p.cause, p.state, p.currency
  union all
  select u.node_id, u.slot, u.device, u.mig_profile, u.owner_id, u.workload_id, u.cause, 'provisional', null,
    null, null, null, null,
    sum(u.gpu_hours), sum(u.capacity_gpu_hours), sum(case when u.activity in ('active', 'idle') then u.capacity_gpu_hours else 0 end),
    sum(u.active_gpu_hours), sum(u.energy_kwh)
  from usage u
  where u.tenant_id = $1 and u.hour >= $2 and u.hour < $2::timestamptz + interval '1 day' and u.slot >= 0
    and not exists (select from parts b where b.tenant_id = $1 and b.node_id = u.node_id and b.hour = u.hour and b.usage_seconds is not null)
  group by u.node_id, u.slot, u.device, u.mig_profile, u.owner_id, u.workload_id, u.cause
) f
left join nodes n on n.tenant_id = $1 and n.node_id = f.node_id
left join workloads w on w.tenant_id = $1 and w.workload_id = f.workload_id
left join (
  select distinct on (d.cluster, d.node, d.device_index) d.cluster, d.node, d.device_index, d.device
  from devices d
  where d.tenant_id = $1
  order by d.cluster, d.node, d.device_index, d.first_hour < $2::timestamptz + interval '1 day' desc,
    case when d.first_hour < $2::timestamptz + interval '1 day' then d.first_hour end desc, d.first_hour, d.last_hour, d.device
) s on s.cluster = n.cluster and s.node = n.name and s.device_index = f.slot
group by f.node_id, f.slot, coalesce(f.device, s.device), f.mig_profile, f.owner_id, nullif(w.class, ''), nullif(w.namespace, ''), f.cause, f.state, f.currency
