-- Days and months of slots, or of kinds of machines where nothing tells their devices
-- apart: what they were used for and cost, what they showed, and the error codes seen,
-- one under the other. What has no currency stands with that of its kind of machine
-- where there is one only.
select @period_start as period_start, coalesce(p.device, coalesce(n.node, '') || '#' || p.slot) as device, n.node,
  coalesce(p.gpu_model, n.gpu_model) as gpu_model, coalesce(p.cluster, n.cluster) as cluster, coalesce(p.instance_type, n.instance_type) as instance_type, coalesce(p.region, n.region) as region, coalesce(p.zone, n.zone) as zone,
  coalesce(p.pricing, n.pricing) as pricing, coalesce(p.account, n.account) as account,
  p.namespace, p.workload_class, p.mig_profile, @owner_columns,
  p.cause, p.state, coalesce(p.currency, p.place_currency, n.currency) as currency,
  p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost,
  p.capacity_gpu_hours, p.gpu_hours, p.known_gpu_hours, p.active_gpu_hours, p.energy_kwh, p.held_active_gpu_hours,
  case when p.currency is not null then p.gpu_hours end as priced_gpu_hours,
  case when p.currency is not null then p.active_gpu_hours end as priced_active_gpu_hours,
  p.throttled_hours, p.xid,
  p.activity_minutes, p.activity_total, p.activity_bins, p.sm_minutes, p.sm_total, p.sm_bins, p.tensor_minutes, p.tensor_total, p.tensor_bins,
  p.dram_minutes, p.dram_total, p.dram_bins, p.memory_minutes, p.memory_total, p.memory_bins, p.power_minutes, p.power_total, p.power_bins
from (
  select d.hour, d.node_id, d.gpu_model, d.cluster, d.instance_type, d.region, d.zone, d.pricing, d.account, d.place_currency,
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
  select s.hour, s.node_id, s.gpu_model, s.cluster, s.instance_type, s.region, s.zone, s.pricing, s.account, s.place_currency,
    s.slot, s.device, s.mig_profile, s.owner_id, s.workload_class, s.namespace, null, null, null,
    null, null, null, null, null, null, null, null, null, null,
    s.throttled_hours, null,
    s.activity_minutes, s.activity_total / 1e6, s.activity_bins, s.sm_minutes, s.sm_total / 1e6, s.sm_bins, s.tensor_minutes, s.tensor_total / 1e6, s.tensor_bins,
    s.dram_minutes, s.dram_total / 1e6, s.dram_bins, s.memory_minutes, s.memory_total / 1e6, s.memory_bins, s.power_minutes, s.power_total / 1e3, s.power_bins
  from (
@device_signal_rows
  ) s
  union all
  select s.hour, s.node_id, s.gpu_model, s.cluster, s.instance_type, s.region, s.zone, s.pricing, s.account, s.place_currency,
    s.slot, s.device, s.mig_profile, s.owner_id, s.workload_class, s.namespace, null, null, null,
    null, null, null, null, null, null, null, null, null, null,
    null, x.code::text,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null
  from (
@device_signal_rows
  ) s cross join unnest(s.xids) x (code)
  where s.xids <> '{}'
) p
left join (
  select p.*, c.currency
  from (select n.node_id, @node_columns from nodes n where n.tenant_id = @tenant) p
  left join (
@place_currencies
  ) c on c.place = @place
) n on n.node_id = p.node_id
left join owners o on o.tenant_id = @tenant and o.owner_id = p.owner_id
