-- Days of layouts with the whole time for which each was valid: days that
-- follow each other with the same instances, which leave the same, are one
-- layout: the same instances in other places may leave less.
select x.day, x.node_id, x.slot, x.number, x.device, x.slice_ids, x.profiles as profile_list, x.weights, x.denominator, x.free, x.stranded, x.held_seconds,
  extract(epoch from x.to_at - x.from_at)::numeric / 3600 as hours, cardinality(x.slice_ids)::bigint as instances, array_to_string(x.profiles, ' ') as profiles,
  case when cardinality(x.slice_ids) = 0 then null when x.assumed then 'assumed' else 'known' end as placement,
  x.fragmentation_ppm / 1e6 as fragmentation_index, x.dead_compute / x.compute::numeric as dead_compute, x.dead_memory / x.memory::numeric as dead_memory,
  case when cardinality(x.slice_ids) = 0 then 0 else x.free / x.denominator::numeric end as free_share, x.stranded / x.denominator::numeric as stranded_share,
  min(x.from_at) over (partition by x.node_id, x.slot, x.stretch) as valid_from, max(x.to_at) over (partition by x.node_id, x.slot, x.stretch) as valid_to
from (
  select f.*, sum(f.fresh) over (partition by f.node_id, f.slot order by f.from_at, f.to_at, f.day, f.number) as stretch
  from (
    select d.*, (row(d.device, d.slice_ids, d.profiles) is distinct from row(lag(d.device) over slots, lag(d.slice_ids) over slots, lag(d.profiles) over slots)
                 or row(d.assumed, d.free, d.stranded, d.fragmentation_ppm, d.dead_compute, d.dead_memory) is distinct from
                   row(lag(d.assumed) over slots, lag(d.free) over slots, lag(d.stranded) over slots,
                     lag(d.fragmentation_ppm) over slots, lag(d.dead_compute) over slots, lag(d.dead_memory) over slots)
                 or d.from_at > lag(d.to_at) over slots)::int as fresh
    from @layout_table d
    where d.tenant_id = @tenant
    window slots as (partition by d.node_id, d.slot order by d.from_at, d.to_at, d.day, d.number)
  ) f
) x
