-- The first sample of all may move on when a later one of its minute counts:
-- telemetry.refresh_devices looks again where that can be.
insert into devices as d (tenant_id, cluster, node, device, device_index, model, in_mig, first_hour, last_hour, first_at, last_at)
select $1, cluster, node, device, device_index, max(model), bool_or(slice_id >= 0), min(hour), max(hour), min(first_at), max(last_at)
from changed_samples
where device not like 'host/%' -- a machine's own samples are no device's
group by cluster, node, device, device_index
on conflict (tenant_id, cluster, node, device, device_index) do update
set model = greatest(d.model, excluded.model), in_mig = d.in_mig or excluded.in_mig,
  first_hour = least(d.first_hour, excluded.first_hour), last_hour = greatest(d.last_hour, excluded.last_hour),
  first_at = least(d.first_at, excluded.first_at), last_at = greatest(d.last_at, excluded.last_at)
where d.model < excluded.model or excluded.in_mig and not d.in_mig or excluded.first_hour < d.first_hour or excluded.last_hour > d.last_hour
  or excluded.first_at < d.first_at or excluded.last_at > d.last_at
