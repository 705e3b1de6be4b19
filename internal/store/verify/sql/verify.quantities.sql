-- Added up once, however many workers the server shares the rest with.
with ridden as materialized (
  select usage_id, hour, node_id, sum(gpu_hours) as gpu_hours, sum(capacity_gpu_hours) as capacity_gpu_hours,
    sum(active_gpu_hours) as active_gpu_hours, sum(energy_kwh) as energy_kwh
  from postings
  where tenant_id = $1 and hour >= $2 and hour < $3 and usage_id is not null
  group by usage_id, hour, node_id
)
select u.usage_id, r.node_id, r.hour, u.gpu_hours as usage_gpu_hours, r.gpu_hours as posted_gpu_hours,
  u.capacity_gpu_hours as usage_capacity, r.capacity_gpu_hours as posted_capacity,
  u.active_gpu_hours as usage_active, r.active_gpu_hours as posted_active, u.energy_kwh as usage_energy, r.energy_kwh as posted_energy
from ridden r
join usage u on u.tenant_id = $1 and u.usage_id = r.usage_id and u.hour = r.hour and u.node_id = r.node_id
where r.capacity_gpu_hours is not null
  and (u.gpu_hours, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh)
    is distinct from (r.gpu_hours, r.capacity_gpu_hours, r.active_gpu_hours, r.energy_kwh)
  and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = r.node_id and x.day = date_trunc('day', r.hour, 'UTC'))
limit 5
