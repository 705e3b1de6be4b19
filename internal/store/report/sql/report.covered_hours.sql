-- Capacity of machines by hour, and what of it was billed, seen and known, for
-- report.coverage and fact covered. Billed GPU-hours are exact to 1e-12: seconds are
-- whole, hours are not.
select u.hour, nullif(n.cluster, '') as cluster, u.node_id, u.capacity, least(u.capacity, coalesce(b.billed, 0)) as billed,
       case when b.billed > 0 then greatest(u.capacity - b.billed, 0) else 0 end as surplus,
       case when b.billed > 0 then 0 else u.capacity end as unbilled,
       u.known, u.held, u.unobserved, u.measured, u.estimated, u.assumed,
       coalesce(b.billed, 0) = 0 as without_bill, u.known = 0 as without_telemetry
from (
  select u.node_id, u.hour, sum(u.capacity_gpu_hours) as capacity,
         coalesce(sum(u.capacity_gpu_hours) filter (where u.activity <> 'unknown'), 0) as known,
         sum(u.gpu_hours) as held, coalesce(sum(u.capacity_gpu_hours) filter (where u.cause = 'unobserved'), 0) as unobserved,
         coalesce(sum(u.capacity_gpu_hours) filter (where u.quality = 'measured'), 0) as measured,
         coalesce(sum(u.capacity_gpu_hours) filter (where u.quality = 'estimated'), 0) as estimated,
         coalesce(sum(u.capacity_gpu_hours) filter (where u.quality = 'assumed'), 0) as assumed
  from usage u
  where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to
  group by u.node_id, u.hour
) u
left join (
  select b.node_id, b.hour, round(greatest(sum(b.usage_seconds), 0) * max(m.gpus) / 3600, 12) as billed
  from parts b
  join nodes m on m.tenant_id = @tenant and m.node_id = b.node_id
  where b.tenant_id = @tenant and b.hour >= @from and b.hour < @to and b.kind = 'compute' and b.usage_seconds is not null
  group by b.node_id, b.hour
) b on b.node_id = u.node_id and b.hour = u.hour
left join nodes n on n.tenant_id = @tenant and n.node_id = u.node_id
