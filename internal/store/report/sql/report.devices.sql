-- Days and months of slots: what they were used for and cost, what they showed, and
-- the error codes seen, one under the other. What has no currency stands with that
-- of its device where there is one only.
select @period_start as period_start, p.device, @node_columns,
  p.namespace, p.workload_class, p.mig_profile, @owner_columns,
  p.cause, p.state, coalesce(p.currency, case when p.least = p.most then p.least end) as currency,
  p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost,
  p.capacity_gpu_hours, p.gpu_hours, p.known_gpu_hours, p.active_gpu_hours, p.energy_kwh, p.held_active_gpu_hours,
  case when p.currency is not null then p.gpu_hours end as priced_gpu_hours,
  case when p.currency is not null then p.active_gpu_hours end as priced_active_gpu_hours,
  p.throttled_hours, p.xid,
  p.activity_minutes, p.activity_total, p.activity_bins, p.sm_minutes, p.sm_total, p.sm_bins, p.tensor_minutes, p.tensor_total, p.tensor_bins,
  p.dram_minutes, p.dram_total, p.dram_bins, p.memory_minutes, p.memory_total, p.memory_bins, p.power_minutes, p.power_total, p.power_bins
from (
  select u.*, coalesce(u.seen, m.name || '#' || u.slot) as device, min(u.currency) over one as least, max(u.currency) over one as most
  from (
    select d.hour, d.node_id, d.slot, d.device as seen, d.mig_profile, d.owner_id, d.workload_class, d.namespace, d.cause, d.state, d.currency,
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
    select s.hour, s.node_id, s.slot, s.device, s.mig_profile, s.owner_id, s.workload_class, s.namespace, null, null, null,
      null, null, null, null, null, null, null, null, null, null,
      s.throttled_hours, null,
      s.activity_minutes, s.activity_total / 1e6, s.activity_bins, s.sm_minutes, s.sm_total / 1e6, s.sm_bins, s.tensor_minutes, s.tensor_total / 1e6, s.tensor_bins,
      s.dram_minutes, s.dram_total / 1e6, s.dram_bins, s.memory_minutes, s.memory_total / 1e6, s.memory_bins, s.power_minutes, s.power_total / 1e3, s.power_bins
    from (
@device_signal_rows
    ) s
    union all
    select s.hour, s.node_id, s.slot, s.device, s.mig_profile, s.owner_id, s.workload_class, s.namespace, null, null, null,
      null, null, null, null, null, null, null, null, null, null,
      null, x.code::text,
      null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null
    from (
@device_signal_rows
    ) s cross join unnest(s.xids) x (code)
    where s.xids <> '{}'
  ) u
  left join nodes m on m.tenant_id = @tenant and m.node_id = u.node_id
  window one as (partition by coalesce(u.seen, m.name || '#' || u.slot))
) p
left join nodes n on n.tenant_id = @tenant and n.node_id = p.node_id
left join owners o on o.tenant_id = @tenant and o.owner_id = p.owner_id
