-- Who held on a day, by the GPUs that they had in ppm of a GPU.
select t.cluster, t.gpu_model, t.ppm, count(*)
from (
  select n.cluster, coalesce(n.gpu_model, '') as gpu_model, s.workload_id, round(1000000 * sum(s.weight))::bigint as ppm
  from (
    select u.workload_id, u.node_id, u.slot, u.slice_id, sum(u.weight_num / u.weight_den) / nullif(sum(u.seconds), 0) as weight
    from usage u
    where u.tenant_id = $1 and u.hour >= $2 and u.hour < $2::timestamptz + interval '1 day' and u.held and u.slot >= 0
    group by u.workload_id, u.node_id, u.slot, u.slice_id
  ) s
  join nodes n on n.tenant_id = $1 and n.node_id = s.node_id
  group by 1, 2, 3
) t
group by 1, 2, 3
order by 1, 2, 3
