with recursive moved as (
  select distinct t.node_id, t.from_at, t.to_at
  from touched t
  where t.node_id is not null and t.from_at is not null and t.to_at is not null
    and t.reason in ('hold', 'hold end', 'evidence', 'requests', 'node life')
    and t.node_id not in (select whole.node_id from touched whole where whole.reason = 'node' and whole.node_id is not null)
), names as (
  select distinct n.node_id, n.cluster, n.name from moved m join nodes n on n.tenant_id = $1 and n.node_id = m.node_id
), seen as (
  select pair.cluster, pair.namespace, pair.pod, count(*) as slots
  from (
    select distinct e.cluster, e.namespace, e.pod, e.device, e.slice_id
    from (select distinct cluster, name from names) t
    join hold_evidence e on e.tenant_id = $1 and e.node = t.name and e.cluster = t.cluster
  ) pair
  group by pair.cluster, pair.namespace, pair.pod
), asked as (
  -- pods with fewer evidenced slots than they asked for are placed by rule 4.4
  select w.node_id, w.hold_from, w.hold_to
  from names m
  join workloads w on w.tenant_id = $1 and w.node_id = m.node_id and w.hold_from is not null
  join workload_facts p on p.tenant_id = w.tenant_id and p.cluster = w.cluster and p.uid = w.uid
  left join seen s on s.cluster = p.cluster and s.namespace = p.namespace and s.pod = p.name
  where (select sum(r.value::bigint) from jsonb_each_text(p.requests) r where r.key like 'nvidia\_com\_%') > coalesce(s.slots, 0)
), reach as (
  select node_id, from_at, to_at, '-infinity'::timestamptz as order_at from moved
  union
  -- an earlier start is placed first: what it takes moves only later ones
  select a.node_id, a.hold_from, a.hold_to, a.hold_from
  from reach r join asked a on a.node_id = r.node_id and a.hold_from <= r.to_at and a.hold_to >= r.from_at and a.hold_from >= r.order_at
)
insert into touched
select distinct node_id, from_at, to_at, 'placement' from reach where order_at > '-infinity'
