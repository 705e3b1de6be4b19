with claims as (
  select cluster, workload, evidence, node, device, slice_id, from_at, max(to_at) as to_at, max(core_share) as core_share, max(memory_share) as memory_share
  from next_placements
  group by cluster, workload, evidence, node, device, slice_id, from_at
), old as ( -- as it was before this statement
  select p.*
  from claims c
  join placements p on p.tenant_id = $1 and p.cluster = c.cluster and p.workload = c.workload and p.evidence = c.evidence
    and p.node = c.node and p.device = c.device and p.slice_id = c.slice_id and p.from_at = c.from_at
), merged as (
  insert into placements as p (tenant_id, cluster, workload, evidence, node, device, slice_id, from_at, to_at, core_share, memory_share)
  select $1, * from claims
  on conflict (tenant_id, cluster, workload, evidence, node, device, slice_id, from_at) do update
  set to_at = greatest(p.to_at, excluded.to_at), core_share = greatest(p.core_share, excluded.core_share),
    memory_share = greatest(p.memory_share, excluded.memory_share)
  where excluded.to_at > coalesce(p.to_at, '-infinity') or excluded.core_share > p.core_share or excluded.memory_share > p.memory_share
  returning *
), moved as ( -- a later end moves what lies after the old one; all else may decide what evidence counts at all
  select m.cluster, m.workload, o.to_at as old_to, m.to_at,
    coalesce(o.core_share = m.core_share and o.memory_share = m.memory_share, false) as only_end
  from merged m
  left join old o using (cluster, workload, evidence, node, device, slice_id, from_at)
)
insert into touched
select w.node_id, case when m.only_end then greatest(w.hold_from, coalesce(m.old_to, m.to_at)) else w.hold_from end,
  case when m.only_end and m.old_to is not null then least(w.hold_to, m.to_at) else w.hold_to end, 'evidence'
from moved m
join workloads w on w.tenant_id = $1 and w.cluster = m.cluster and w.uid = m.workload
where w.node_id is not null
  and not (m.only_end and (coalesce(m.old_to, m.to_at) >= w.hold_to or m.to_at <= w.hold_from))
