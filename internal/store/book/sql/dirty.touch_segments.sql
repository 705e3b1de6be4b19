with o as (select * from segments where tenant_id = $1),
changed as (
  select coalesce(o.workload_id, n.workload_id) as workload_id,
    case when o.weight = n.weight and row(o.loss_basis, o.loss_from) is not distinct from row(n.loss_basis, n.loss_from) then least(o.to_at, n.to_at) else coalesce(o.from_at, n.from_at) end as from_at,
    greatest(o.to_at, n.to_at) as to_at
  from o full join next_segments n
    on n.attempt_id = o.attempt_id and n.workload_id = o.workload_id and n.from_at = o.from_at
  where row(o.*) is distinct from row(n.*)
)
insert into touched
select w.node_id, c.from_at, c.to_at, 'segment'
from changed c
join (select workload_id, node_id from workloads where tenant_id = $1
      union select workload_id, node_id from next_workloads) w on w.workload_id = c.workload_id
