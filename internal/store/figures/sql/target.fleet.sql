-- Activity of held time that is known, and capacity that nothing came of.
with f as (
  select coalesce(sum(active_gpu_hours) filter (where gpu_hours > 0), 0) as active, -- what nobody is known to hold has activity, too
         coalesce(sum(gpu_hours) filter (where activity <> 'unknown'), 0) as known,
         coalesce(sum(capacity_gpu_hours) filter (where cause in ('held_idle', 'free', 'stranded', 'unavailable')), 0) as idle,
         coalesce(sum(capacity_gpu_hours) filter (where cause <> 'unobserved' or gpu_hours > 0), 0) as capacity
  from usage
  where tenant_id = $1 and hour >= $2 and hour < $2::timestamptz + interval '24 hours'
)
insert into target_days (tenant_id, day, target, subject, unit, currency, numerator, denominator)
select $1, $2, 'utilisation', '', '', '', active, known from f where known > 0
union all
select $1, $2, 'idle_share', '', '', '', idle, capacity from f where capacity > 0
