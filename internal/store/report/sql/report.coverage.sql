-- What of the fleet's capacity was billed, seen and known, by time and cluster.
-- Billed GPU-hours are exact to 1e-12: seconds are whole, hours are not.
select h.period_start, nullif(n.cluster, '') as cluster, nullif(n.instance_type, '') as instance_type,
       count(distinct h.node_id)::bigint as nodes,
       count(distinct h.node_id) filter (where h.unbilled)::bigint as nodes_without_bill,
       count(distinct h.node_id) filter (where h.unseen)::bigint as nodes_without_telemetry,
       sum(h.capacity) as capacity_gpu_hours, sum(least(h.capacity, h.billed)) as billed_gpu_hours,
       sum(case when h.billed > 0 then greatest(h.capacity - h.billed, 0) else 0 end) as surplus_gpu_hours,
       sum(case when h.billed > 0 then 0 else h.capacity end) as unbilled_gpu_hours,
       sum(h.known) as known_gpu_hours, sum(h.held) as held_gpu_hours, sum(h.unobserved) as unobserved_gpu_hours,
       sum(h.measured) as measured_gpu_hours, sum(h.estimated) as estimated_gpu_hours, sum(h.assumed) as assumed_gpu_hours
from (
  select @period_start as period_start, p.node_id, p.capacity, p.known, p.held, p.unobserved, p.measured, p.estimated, p.assumed,
         coalesce(b.billed, 0) as billed,
         bool_and(coalesce(b.billed, 0) = 0) over day as unbilled, bool_and(p.known = 0) over day as unseen
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
  ) p
  left join (
    select b.node_id, b.hour, round(sum(b.usage_seconds) * max(m.gpus) / 3600, 12) as billed
    from parts b
    join nodes m on m.tenant_id = @tenant and m.node_id = b.node_id
    where b.tenant_id = @tenant and b.hour >= @from and b.hour < @to and b.kind = 'compute' and b.usage_seconds is not null
    group by b.node_id, b.hour
  ) b on b.node_id = p.node_id and b.hour = p.hour
  window day as (partition by p.node_id, @period_start)
) h
left join nodes n on n.tenant_id = @tenant and n.node_id = h.node_id
group by h.period_start, n.cluster, n.instance_type
