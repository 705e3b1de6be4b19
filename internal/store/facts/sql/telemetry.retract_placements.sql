-- Where workloads of statements that are made again were, as far as it is not said again.
with gone as (
  delete from placements p
  using workload_facts f
  where f.tenant_id = $1 and f.statement = any($2::text[]) and p.tenant_id = f.tenant_id and p.cluster = f.cluster and p.workload = f.uid
    and not exists (
      select from next_placements n
      where n.cluster = p.cluster and n.workload = p.workload and n.evidence = p.evidence and n.node = p.node and n.device = p.device
        and n.slice_id = p.slice_id and n.from_at = p.from_at)
  returning p.cluster, p.workload
)
insert into touched
select distinct w.node_id, w.hold_from, w.hold_to, 'evidence'
from gone g
join workloads w on w.tenant_id = $1 and w.cluster = g.cluster and w.uid = g.workload
where w.node_id is not null
