-- What nobody held of each slot at every full hour of a day, in ppm of a GPU:
-- the mean weight of its free rows of that hour (docs/figures.md 17.6).
select n.cluster, coalesce(n.gpu_model, ''), h.at, s.node_id, s.slot, least(round(1000000 * sum(u.weight)), 1000000)::bigint
from generate_series($2::timestamptz, $2::timestamptz + interval '23 hours', interval '1 hour') h (at)
join spans s on s.tenant_id = $1 and s.day = $2 and s.cause = 'free' and s.workload_id is null and s.from_at <= h.at and s.to_at > h.at
join (
  select v.node_id, v.slot, v.slice_id, v.hour, sum(v.weight_num / v.weight_den) / nullif(sum(v.seconds), 0) as weight
  from usage v
  where v.tenant_id = $1 and v.hour >= $2 and v.hour < $2::timestamptz + interval '1 day' and v.cause = 'free' and v.workload_id is null and v.slot >= 0
  group by v.node_id, v.slot, v.slice_id, v.hour
) u on u.node_id = s.node_id and u.slot = s.slot and u.slice_id is not distinct from s.slice_id and u.hour = h.at
join nodes n on n.tenant_id = $1 and n.node_id = s.node_id and n.gpus > 0
group by 1, 2, 3, 4, 5
order by 1, 2, 3, 4, 5
