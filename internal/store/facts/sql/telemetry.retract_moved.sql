-- Lives that were read in another zone: the same time on the clock was another instant then.
with said as (
  select * from unnest($2::text[], $3::timestamptz[]) k (statement, created_at)
), moved as (
  delete from workload_facts f
  where f.tenant_id = $1 and f.statement in (select statement from said)
    and not exists (select from said s where s.statement = f.statement and s.created_at = f.created_at)
  returning f.cluster, f.uid, f.owner_kind, f.namespace, f.owner_name, f.created_at
), owners as (
  delete from objects o using moved m
  where o.tenant_id = $1 and o.cluster = m.cluster and o.kind = m.owner_kind and o.namespace = m.namespace and o.name = m.owner_name
    and o.created_at = m.created_at
), gone as (
  delete from placements p using moved m
  where p.tenant_id = $1 and p.cluster = m.cluster and p.workload = m.uid
  returning p.cluster, p.workload
)
insert into touched
select distinct w.node_id, w.hold_from, w.hold_to, 'evidence'
from gone g
join workloads w on w.tenant_id = $1 and w.cluster = g.cluster and w.uid = g.workload
where w.node_id is not null
