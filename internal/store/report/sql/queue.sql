-- Waiting, gangs and fair shares.

-- name: report.events
-- Events of instances and workloads.
select e.at, 'Instance' as subject, e.kind as event, nullif(e.detail, '') as detail, e.provider,
       nullif(e.account, '') as account, nullif(e.region, '') as region,
       n.cluster, null::text as namespace, e.instance_id as name, null::text as uid, n.name as node
from instance_events e
left join nodes n on n.tenant_id = @tenant and n.instance_id = e.instance_id and e.instance_id <> ''
where e.tenant_id = @tenant and e.at >= @from and e.at < @to
union all
select e.at, e.kind, e.what, nullif(e.reason, ''), null, null, null, e.cluster, nullif(e.namespace, ''), e.name,
  nullif(e.uid, ''), null
from workload_events e
where e.tenant_id = @tenant and e.at >= @from and e.at < @to

-- name: report.fair_share
-- Granted quotas and the GPUs held under them. If a namespace has several quotas for one resource, the smallest
-- counts: the cluster enforces all of them.
select q.cluster, q.granted_by, nullif(q.namespace, '') as namespace, nullif(q.queue, '') as queue, q.resource, q.quota,
       e.hours * q.quota as quota_hours, coalesce(h.held_hours, 0) as held_hours,
       q.quota / nullif(sum(q.quota) over every, 0) as quota_share,
       coalesce(h.held_hours, 0) / nullif(sum(h.held_hours) over every, 0) as held_share
from (
  select o.cluster, o.kind as granted_by, o.namespace, o.queue, o.resource, min(o.quota) as quota
  from (
    select distinct on (o.cluster, o.kind, o.namespace, o.name, a.key) o.cluster, o.kind, o.namespace,
           case when o.kind = 'ClusterQueue' then o.name else '' end as queue,
           substr(a.key, 7) as resource, a.value::numeric as quota
    from objects o
    cross join lateral jsonb_each_text(o.attrs) a
    where o.tenant_id = @tenant and o.kind in ('ResourceQuota', 'ClusterQueue') and a.key like 'quota/%'
      and a.value ~ '^[0-9]+$'
    order by o.cluster, o.kind, o.namespace, o.name, a.key, o.attrs_at desc, o.created_at desc
  ) o
  group by 1, 2, 3, 4, 5
) q
left join (
  select n.cluster, extract(epoch from max(u.last_hour) - min(u.first_hour)) / 3600 + 1 as hours
  from (
    select v.node_id, min(v.hour) as first_hour, max(v.hour) as last_hour
    from usage v where v.tenant_id = @tenant and v.hour >= @from and v.hour < @to
    group by v.node_id
  ) u
  join nodes n on n.tenant_id = @tenant and n.node_id = u.node_id
  group by n.cluster
) e on e.cluster = q.cluster
left join (
  select w.cluster, x.granted_by, x.namespace, x.queue,
         coalesce('nvidia_com_mig_' || translate(u.mig_profile, '.+', '__'), 'nvidia_com_gpu') as resource,
         sum(case when u.mig_profile is null then u.gpu_hours else u.seconds / 3600.0 end) as held_hours
  from ( -- few workloads of many hours
    select v.workload_id, v.owner_id, v.mig_profile, sum(v.gpu_hours) as gpu_hours, sum(v.seconds) as seconds
    from usage v
    where v.tenant_id = @tenant and v.hour >= @from and v.hour < @to and v.held and v.gpu_hours > 0
    group by v.workload_id, v.owner_id, v.mig_profile
  ) u
  join workloads w on w.tenant_id = @tenant and w.workload_id = u.workload_id
  left join owners o on o.tenant_id = @tenant and o.owner_id = u.owner_id
  cross join lateral (values ('ResourceQuota', w.namespace, ''),
      ('ClusterQueue', '', coalesce(o.queue, ''))) x (granted_by, namespace, queue)
  group by 1, 2, 3, 4, 5
) h on h.cluster = q.cluster and h.granted_by = q.granted_by and h.namespace = q.namespace and h.queue = q.queue
  and h.resource = q.resource
window every as (partition by q.cluster, q.granted_by, q.resource)

-- name: report.gang_hours
-- What attempts paid while their gangs were not complete, by hour: of the
-- overhead that a workload had on a slot and slice in an hour, as its spans say
-- how much of it was before (docs/figures.md 15.2).
select p.hour, p.run_id, p.attempt_id, p.currency,
  round(sum(p.effective_cost) * d.waiting / d.overhead, 12) as effective_cost
from (
  select y.attempt_id, y.run_id, y.gang_complete_at, y.started_at, y.ended_at
  from attempts y
  where y.tenant_id = @tenant and (y.gang_complete_at is null or y.gang_complete_at > y.started_at)
    and y.started_at < @to and y.ended_at > @from
) a
join @seen[postings] p on p.tenant_id = @tenant and p.run_id = a.run_id and p.attempt_id = a.attempt_id
  and p.cause = 'overhead'
  and p.hour > a.started_at - interval '1 hour' and p.hour < a.ended_at and p.hour >= @from and p.hour < @to
cross join lateral (
  select sum(extract(epoch from least(s.to_at, p.hour + interval '1 hour') - greatest(s.from_at, p.hour))) as overhead,
         sum(greatest(0, extract(epoch from least(s.to_at, p.hour + interval '1 hour',
           a.gang_complete_at) - greatest(s.from_at, p.hour)))) as waiting
  from spans s
  where s.tenant_id = @tenant and s.run_id = p.run_id and s.attempt_id = p.attempt_id and s.workload_id = p.workload_id
    and s.node_id = p.node_id and s.slot = p.slot and s.slice_id is not distinct from p.slice_id
      and s.cause = 'overhead'
    and s.day = date_trunc('day', p.hour, 'UTC') and s.from_at < p.hour + interval '1 hour' and s.to_at > p.hour
) d
where d.waiting > 0
group by p.run_id, p.attempt_id, p.currency, p.hour, p.node_id, p.slot, p.slice_id, p.workload_id, d.waiting, d.overhead

-- name: report.gang_waits
-- Cost of attempts while their gangs were incomplete, over their whole lives.
select v.run_id, v.attempt_id, v.currency, sum(v.effective_cost) as effective_cost
from (
@gang_rows
) v
group by v.run_id, v.attempt_id, v.currency

-- name: report.queue
-- How long workloads that requested GPUs waited, one row each, and rows with the cost of gangs while they waited for
-- members. A workload that was never placed waits until its end, or until the end of the data (docs/figures.md,
-- 21.1).
with stored as materialized ( -- worked out once
  select w.at as until from waited_until w where w.tenant_id = @tenant
), asked as (
  select f.cluster, f.uid, f.namespace, f.created_at, w.hold_from, w.node_id, w.owner_id, w.class, w.kind, w.run_id,
         f.labels,
         coalesce(f.completed_at, f.terminal_at, f.deleted_at) as ended_at, f.asked_units, f.asked_replicas
  from workload_facts f
  left join workloads w on w.tenant_id = f.tenant_id and w.cluster = f.cluster and w.uid = f.uid
  where f.tenant_id = @tenant and (f.asked_units is distinct from 0 or f.asked_replicas > 0) and f.created_at >= @from
    and f.created_at < @to
), gangs as materialized (
  select g.run_id, g.attempt_id, g.currency, g.effective_cost
  from (
@gang_waits
  ) g
  join attempts a on a.tenant_id = @tenant and a.attempt_id = g.attempt_id
  where a.started_at >= @from and a.started_at < @to
), paid_in as ( -- waits get the currency of their cluster, to share the row with their gangs' cost
  select c.cluster, c.currency from cluster_currencies c where c.tenant_id = @tenant
)
select nullif(q.cluster, '') as cluster,
       nullif(coalesce(nullif(o.queue, ''), q.labels ->> 'kueue_x_k8s_io_queue_name'), '') as queue,
       coalesce(nullif(o.team, ''), nullif(coalesce(q.labels ->> 'team', q.labels ->> 'owner_team',
         q.labels ->> 'owner'), ''), 'unowned') as team,
       nullif(q.class, '') as workload_class, nullif(n.gpu_model, '') as gpu_model,
       nullif(q.namespace, '') as namespace, nullif(q.kind, '') as workload_kind,
       q.run_id as run, nullif(n.instance_type, '') as instance_type, nullif(n.region, '') as region,
       nullif(n.zone, '') as zone,
       nullif(o.business_unit, '') as business_unit, nullif(o.project, '') as project, nullif(o.model, '') as model,
       nullif(o.stage, '') as stage,
       nullif(o.environment, '') as environment, nullif(o.cost_center, '') as cost_center,
       nullif(o."user", '') as "user", nullif(o.priority, '') as priority,
       p.currency, q.uid as workload, s.wait_seconds,
       case when q.hold_from is null and q.ended_at is null then q.uid end as waiting,
       case when q.hold_from is null and q.ended_at is not null then q.uid end as never_started,
       case when s.wait_seconds > @starved_seconds then q.uid end as starved,
       s.gpus, case when q.hold_from is null and q.ended_at is null then s.gpus else 0 end as waiting_gpus,
       round(s.wait_seconds * s.gpus / 3600, 12) as pending_gpu_hours, null::numeric as gang_wait_cost,
       null::text as gang
from asked q
cross join stored e
left join paid_in p on p.cluster = q.cluster
left join nodes n on n.tenant_id = @tenant and n.node_id = q.node_id
cross join lateral (
  select greatest(0, extract(epoch from coalesce(q.hold_from, q.ended_at,
           e.until) - q.created_at))::bigint as wait_seconds,
         q.asked_units::numeric / @asked_per_gpu + q.asked_replicas::numeric / greatest(n.replicas, 1) as gpus
) s
left join owners o on o.tenant_id = @tenant and o.owner_id = q.owner_id
union all
select nullif(r.cluster, ''), nullif(o.queue, ''), coalesce(nullif(o.team, ''), 'unowned'), 'run', m.gpu_model,
       nullif(r.namespace, ''), nullif(r.root_kind, ''),
       r.run_id, m.instance_type, m.region, m.zone,
       nullif(o.business_unit, ''), nullif(o.project, ''), nullif(o.model, ''), nullif(o.stage, ''),
       nullif(o.environment, ''), nullif(o.cost_center, ''), nullif(o."user", ''), nullif(o.priority, ''),
       g.currency, null, null, null, null, null, null, null, null, g.effective_cost, 'true'
from gangs g
join runs r on r.tenant_id = @tenant and r.run_id = g.run_id
left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
left join lateral (
  select nullif(n.gpu_model, '') as gpu_model, nullif(n.instance_type, '') as instance_type,
    nullif(n.region, '') as region, nullif(n.zone, '') as zone
  from attempt_places p
  join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id
  where p.tenant_id = @tenant and p.attempt_id = g.attempt_id
  order by p.from_at, p.workload_id limit 1
) m on true

-- name: report.requests
-- Requests of GPU pods against what they used.
select nullif(r.cluster, '') as cluster, nullif(r.namespace, '') as namespace, r.kind as workload_kind,
       r.name as workload, @owner_columns,
       r.pods, r.days::bigint as days, r.enough as enough_data,
       r.cpu_requested / 1000.0 as cpu_requested, r.cpu_p95 / 1000.0 as cpu_p95, r.cpu_p99 / 1000.0 as cpu_p99,
       r.cpu_suggested / 1000.0 as cpu_suggested,
       (r.cpu_requested - r.cpu_suggested) / 1000.0 * r.pods as cpu_saving,
       r.memory_requested / 1073741824.0 as memory_requested_gib, r.memory_p95 / 1073741824.0 as memory_p95_gib,
       r.memory_p99 / 1073741824.0 as memory_p99_gib,
       r.memory_suggested / 1024.0 as memory_suggested_gib,
       (r.memory_requested / 1073741824.0 - r.memory_suggested / 1024.0) * r.pods as memory_saving_gib
from request_use r
left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
where r.tenant_id = @tenant
