-- How long workloads that asked for GPUs waited: a row each, and rows of what
-- gangs cost while they waited for their members. What was never placed waits to
-- its end, else to the end of what is stored (docs/figures.md, 21.1).
with stored as (
  select w.at as until from waited_until w where w.tenant_id = @tenant
), asked as (
  select f.cluster, f.uid, f.namespace, f.created_at, w.hold_from, w.node_id, w.owner_id, w.class, w.kind, w.run_id, f.labels,
         coalesce(f.completed_at, f.terminal_at, f.deleted_at) as ended_at, f.asked_units, f.asked_replicas
  from workload_facts f
  left join workloads w on w.tenant_id = f.tenant_id and w.cluster = f.cluster and w.uid = f.uid
  where f.tenant_id = @tenant and (f.asked_units is distinct from 0 or f.asked_replicas > 0) and f.created_at >= @from and f.created_at < @to
), gangs as materialized (
  select g.run_id, g.attempt_id, g.currency, g.effective_cost
  from (
@gang_waits
  ) g
  join attempts a on a.tenant_id = @tenant and a.attempt_id = g.attempt_id
  where a.started_at >= @from and a.started_at < @to
), paid_in as ( -- waits stand in the currency of their cluster, so that they share the row of what its gangs cost
  select c.cluster, c.currency from cluster_currencies c where c.tenant_id = @tenant
)
select nullif(q.cluster, '') as cluster, nullif(coalesce(nullif(o.queue, ''), q.labels ->> 'kueue_x_k8s_io_queue_name'), '') as queue,
       coalesce(nullif(o.team, ''), nullif(coalesce(q.labels ->> 'team', q.labels ->> 'owner_team', q.labels ->> 'owner'), ''), 'unowned') as team,
       nullif(q.class, '') as workload_class, nullif(n.gpu_model, '') as gpu_model, nullif(q.namespace, '') as namespace, nullif(q.kind, '') as workload_kind,
       q.run_id as run, nullif(n.instance_type, '') as instance_type, nullif(n.region, '') as region, nullif(n.zone, '') as zone,
       nullif(o.business_unit, '') as business_unit, nullif(o.project, '') as project, nullif(o.model, '') as model, nullif(o.stage, '') as stage,
       nullif(o.environment, '') as environment, nullif(o.cost_center, '') as cost_center, nullif(o."user", '') as "user", nullif(o.priority, '') as priority,
       p.currency, q.uid as workload, s.wait_seconds,
       case when q.hold_from is null and q.ended_at is null then q.uid end as waiting,
       case when q.hold_from is null and q.ended_at is not null then q.uid end as never_started,
       case when s.wait_seconds > @starved_seconds then q.uid end as starved,
       s.gpus, case when q.hold_from is null and q.ended_at is null then s.gpus else 0 end as waiting_gpus,
       round(s.wait_seconds * s.gpus / 3600, 12) as pending_gpu_hours, null::numeric as gang_wait_cost, null::text as gang
from asked q
cross join stored e
left join paid_in p on p.cluster = q.cluster
left join nodes n on n.tenant_id = @tenant and n.node_id = q.node_id
cross join lateral (
  select greatest(0, extract(epoch from coalesce(q.hold_from, q.ended_at, e.until) - q.created_at))::bigint as wait_seconds,
         q.asked_units::numeric / @asked_per_gpu + q.asked_replicas::numeric / greatest(n.replicas, 1) as gpus
) s
left join owners o on o.tenant_id = @tenant and o.owner_id = q.owner_id
union all
select nullif(r.cluster, ''), nullif(o.queue, ''), coalesce(nullif(o.team, ''), 'unowned'), 'run', m.gpu_model, nullif(r.namespace, ''), nullif(r.root_kind, ''),
       r.run_id, m.instance_type, m.region, m.zone,
       nullif(o.business_unit, ''), nullif(o.project, ''), nullif(o.model, ''), nullif(o.stage, ''),
       nullif(o.environment, ''), nullif(o.cost_center, ''), nullif(o."user", ''), nullif(o.priority, ''),
       g.currency, null, null, null, null, null, null, null, null, g.effective_cost, 'true'
from gangs g
join runs r on r.tenant_id = @tenant and r.run_id = g.run_id
left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
left join lateral (
  select nullif(n.gpu_model, '') as gpu_model, nullif(n.instance_type, '') as instance_type, nullif(n.region, '') as region, nullif(n.zone, '') as zone
  from attempt_places p
  join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id
  where p.tenant_id = @tenant and p.attempt_id = g.attempt_id
  order by p.from_at, p.workload_id limit 1
) m on true
