-- Labels of one's own are not compared: nothing is computed from them.
with o as (
  select tenant_id, workload_id, cluster, namespace, name, uid, kind, service, owner_name, class, node_id, hold_from, hold_to, outcome, reason, run_id, owner_id
  from workloads where tenant_id = $1
),
n as (
  select tenant_id, workload_id, cluster, namespace, name, uid, kind, service, owner_name, class, node_id, hold_from, hold_to, outcome, reason, run_id, owner_id
  from next_workloads
),
changed as (
  select o.node_id as old_node, o.hold_from as old_from, o.hold_to as old_to,
    n.node_id as new_node, n.hold_from as new_from, n.hold_to as new_to,
    coalesce(to_jsonb(o) - 'hold_to' = to_jsonb(n) - 'hold_to', false) as only_end
  from o full join n on n.workload_id = o.workload_id
  where row(o.*) is distinct from row(n.*)
)
insert into touched
select old_node, least(old_to, new_to), greatest(old_to, new_to), 'hold end' from changed where only_end
union all
select old_node, old_from, old_to, 'hold' from changed where not only_end
union all
select new_node, new_from, new_to, 'hold' from changed where not only_end
