insert into devices as d (tenant_id, cluster, node, device, device_index, model, in_mig, first_hour, last_hour, first_at, last_at)
select $1, cluster, node, device, device_index, max(model), bool_or(slice_id >= 0), min(hour), max(hour), min(first_at), max(last_at)
from changed_samples
where device not like 'host/%' -- a machine's own samples are no device's
group by cluster, node, device, device_index
on conflict (tenant_id, cluster, node, device, device_index) do update
set model = greatest(d.model, excluded.model), in_mig = d.in_mig or excluded.in_mig,
  first_hour = least(d.first_hour, excluded.first_hour), last_hour = greatest(d.last_hour, excluded.last_hour)
