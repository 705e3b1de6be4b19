-- Quantities and money of the slots of machines by UTC day: postings, and usage
-- that no bill and no rate covers (docs/rules.md 8.14). Slots whose device a row
-- does not name have the newest that was seen in them by the end of the day, else
-- their first (docs/figures.md 17.1). Active hours are known where activity is.
with slots as materialized (
  select date_trunc('day', p.hour, 'UTC') as day, p.node_id, p.slot, p.device, p.mig_profile, p.owner_id, p.workload_id, p.cause, p.state, p.currency,
    sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost,
    sum(p.gpu_hours) as gpu_hours, sum(p.capacity_gpu_hours) as capacity_gpu_hours,
    sum(case when p.activity in ('active', 'idle') then p.capacity_gpu_hours else p.capacity_gpu_hours * 0 end) as known_gpu_hours,
    sum(p.active_gpu_hours) as active_gpu_hours, sum(p.energy_kwh) as energy_kwh
  from postings p
  where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to and p.slot is not null and p.node_id is not null
  group by 1, p.node_id, p.slot, p.device, p.mig_profile, p.owner_id, p.workload_id, p.cause, p.state, p.currency
  union all
  select date_trunc('day', u.hour, 'UTC'), u.node_id, u.slot, u.device, u.mig_profile, u.owner_id, u.workload_id, u.cause, 'provisional', null,
    null, null, null, null,
    sum(u.gpu_hours), sum(u.capacity_gpu_hours), sum(case when u.activity in ('active', 'idle') then u.capacity_gpu_hours else 0 end),
    sum(u.active_gpu_hours), sum(u.energy_kwh)
  from usage u
  where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to and u.slot >= 0
    and not exists (select from parts b where b.tenant_id = @tenant and b.node_id = u.node_id and b.hour = u.hour and b.hour >= @from and b.hour < @to and b.usage_seconds is not null)
  group by 1, u.node_id, u.slot, u.device, u.mig_profile, u.owner_id, u.workload_id, u.cause
), named as materialized (
  select distinct on (s.day, s.node_id, s.slot) s.day, s.node_id, s.slot, d.device
  from (select distinct day, node_id, slot from slots where device is null) s
  join nodes n on n.tenant_id = @tenant and n.node_id = s.node_id
  join devices d on d.tenant_id = @tenant and d.cluster = n.cluster and d.node = n.name and d.device_index = s.slot
  order by s.day, s.node_id, s.slot, d.first_hour < s.day + interval '1 day' desc,
    case when d.first_hour < s.day + interval '1 day' then d.first_hour end desc, d.first_hour, d.last_hour, d.device
)
select f.hour, f.node_id, f.slot, f.device, f.mig_profile, f.owner_id, f.workload_class, f.namespace, f.cause, f.state, f.currency,
  f.effective_cost, f.billed_cost, f.list_cost, f.contracted_cost, f.gpu_hours, f.capacity_gpu_hours, f.known_gpu_hours,
  case when f.known_gpu_hours <> 0 then f.active_gpu_hours end as active_gpu_hours,
  case when f.known_gpu_hours <> 0 and (f.cause <> 'used' or f.gpu_hours <> 0) then f.active_gpu_hours end as held_active_gpu_hours, f.energy_kwh
from (
  select s.day as hour, s.node_id, s.slot, coalesce(s.device, d.device) as device, s.mig_profile, s.owner_id,
    nullif(w.class, '') as workload_class, nullif(w.namespace, '') as namespace, s.cause, s.state, s.currency,
    sum(s.effective_cost) as effective_cost, sum(s.billed_cost) as billed_cost, sum(s.list_cost) as list_cost, sum(s.contracted_cost) as contracted_cost,
    sum(s.gpu_hours) as gpu_hours, sum(s.capacity_gpu_hours) as capacity_gpu_hours, sum(s.known_gpu_hours) as known_gpu_hours,
    sum(s.active_gpu_hours) as active_gpu_hours, sum(s.energy_kwh) as energy_kwh
  from slots s
  left join named d on s.device is null and d.day = s.day and d.node_id = s.node_id and d.slot = s.slot
  left join workloads w on w.tenant_id = @tenant and w.workload_id = s.workload_id
  group by s.day, s.node_id, s.slot, coalesce(s.device, d.device), s.mig_profile, s.owner_id, nullif(w.class, ''), nullif(w.namespace, ''), s.cause, s.state, s.currency
) f
