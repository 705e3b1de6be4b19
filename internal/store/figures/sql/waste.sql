-- Findings and the days that they are based on.

-- name: waste.advised_runs
-- Runs of the teams that are advised to move to spot, if they were on on-demand machines of the type (docs/figures.md
-- 19.6).
select distinct w.run_id
from workloads w
join nodes n on n.tenant_id = $1 and n.node_id = w.node_id
join owners o on o.tenant_id = $1 and o.owner_id = w.owner_id
join unnest($4::text[], $5::text[], $6::text[]) a (cluster, instance_type, team) on a.cluster = w.cluster
  and a.instance_type = n.instance_type and a.team = o.team
where w.tenant_id = $1 and w.run_id is not null and w.class = 'run' and n.price_class = 'on_demand' and w.hold_from < $3
  and w.hold_to > $2
order by w.run_id

-- name: waste.copy_costs
copy finding_costs (tenant_id, finding_id, currency, state, effective_cost, leads) from stdin (format binary)

-- name: waste.copy_days
copy waste_days (tenant_id, day, scope, subject_id, trace) from stdin (format binary)

-- name: waste.copy_findings
copy findings (tenant_id, finding_id, kind, subject, scope, subject_id, from_at, to_at, open, risk, cluster, node_id,
  device, slice_id, mig_profile,
  instance_type, gpu_model, workload_id, namespace, workload_kind, workload, pod, service, run_id, owner_id, gpu_hours,
  quality, evidence, first_seen, last_seen, met_seconds)
from stdin (format binary)

-- name: waste.crashes
-- Minutes of a day in CrashLoopBackOff of workloads on machines.
select w.node_id, w.workload_id, s.hour, s.minutes
from workloads w
join pod_state_hours s on s.tenant_id = w.tenant_id and s.cluster = w.cluster and s.uid = w.uid
where w.tenant_id = $1 and w.node_id = any($3::uuid[]) and s.hour >= $2 and s.hour < $2 + interval '1 day'
order by w.node_id, w.workload_id, s.hour

-- name: waste.delete_day
-- Deletes the traces of a day, and returns their subjects.
delete from waste_days where tenant_id = $1 and day = $2
returning scope, subject_id as id

-- name: waste.end
-- The end of the observations of machines. Postings do not show it: fees may be posted to later days.
select max(to_at) from spans where tenant_id = $1
  and day = (select max(day) from chunks where tenant_id = $1 and span_rows > 0)

-- name: waste.forget
-- Deletes the findings of subjects.
delete from findings
where tenant_id = $1 and (scope, subject_id) in (select * from unnest($2::text[], $3::uuid[]))

-- name: waste.forget_of_day
-- Deletes the findings about free capacity of a day.
delete from findings
where tenant_id = $1 and kind = 'free_capacity' and from_at >= $2 and from_at < $2 + interval '1 day'

-- name: waste.found
-- Subjects whose findings may have changed with the days: findings that lie in them, and open ones.
select distinct scope, subject_id as id
from findings
where tenant_id = $1 and (open or to_at > $2 and from_at < $3)
  and scope in ('holder', 'service', 'workload', 'device', 'node')

-- name: waste.holders
-- Workloads that held something of the machines on a day, and the labels by which they picked their machines, if
-- known.
select w.workload_id, w.node_id, w.cluster, w.namespace, w.name, w.class, w.kind, w.owner_name, coalesce(w.run_id, ''),
       w.owner_id,
       coalesce(nullif(o.team, 'unowned'), ''), coalesce(o.environment, ''), w.hold_from, w.hold_to,
       w.outcome = 'running',
       p.attrs ->> 'required', p.attrs ->> 'nodeSelector'
from workloads w
left join objects p on p.tenant_id = w.tenant_id and p.cluster = w.cluster and p.kind = 'PodSelectors'
  and p.namespace = w.namespace and p.name = w.uid
left join owners o on o.tenant_id = w.tenant_id and o.owner_id = w.owner_id
where w.tenant_id = $1 and w.node_id = any($3::uuid[]) and w.hold_from < $2::timestamptz + interval '1 day'
  and w.hold_to > $2

-- name: waste.hours
-- Summaries of a day of the devices, slices and hosts of machines.
select p.cluster, p.node, p.device, p.slice_id, s.hour, s.figures
from unnest($3::text[], $4::text[]) as n (cluster, node)
join sample_places p on p.tenant_id = $1 and p.cluster = n.cluster and p.node = n.node
join sample_summaries s on s.tenant_id = p.tenant_id and s.place_id = p.place_id and s.hour >= $2
  and s.hour < $2 + interval '1 day'
order by p.cluster, p.node, s.hour

-- name: waste.kept
-- When findings of subjects were first found.
select finding_id, first_seen from findings
where tenant_id = $1 and (scope, subject_id) in (select * from unnest($2::text[], $3::uuid[]))

-- name: waste.kept_of_day
-- When findings about free capacity of a day were first found.
select finding_id, first_seen from findings
where tenant_id = $1 and kind = 'free_capacity' and from_at >= $2 and from_at < $2 + interval '1 day'

-- name: waste.losable_runs
-- Training runs, and other runs on spot whose work can be lost (6.10), or the named runs of all these kinds, that
-- existed on the days, attempt by attempt, with the checkpoints of each (docs/rules.md 6.9): a row per checkpoint,
-- and a single row if there are none. A Job's retries are those of the newest object of its name that existed when it
-- started, unknown if its own rules ignore some failures; a bare pod has none.
with losable as (
  select r.*, exists (select from checkpoint_facts c where c.tenant_id = $1 and c.run <> ''
    and c.run = r.run_id) as posted
  from runs r
  where r.tenant_id = $1
    and r.kind in ('training', 'fine_tuning', 'evaluation', 'batch')
    and case when $4::text[] is not null then r.run_id = any($4)
      else r.kind in ('training', 'fine_tuning')
        or exists (select from attempts a where a.tenant_id = $1 and a.run_id = r.run_id and a.pricing = 'spot') end
    and exists (select from attempts a where a.tenant_id = $1 and a.run_id = r.run_id and a.started_at < $3)
    and exists (select from attempts a where a.tenant_id = $1 and a.run_id = r.run_id and a.ended_at > $2)
)
select r.run_id, r.cluster, r.namespace, r.name, r.root_kind, r.owner_id, r.ended_at is null, r.posted,
       r.kind, case r.root_kind when 'Job' then j.retries when 'Pod' then 0 end,
       a.attempt_id, a.attempt, coalesce(a.pricing = 'spot', false), a.started_at, a.ended_at, a.last_checkpoint_at,
       d.at
from losable r
join attempts a on a.tenant_id = $1 and a.run_id = r.run_id
left join lateral (
  select case when not o.attrs ? 'ignoresFailures' then (o.attrs ->> 'backoffLimit')::bigint end as retries
  from objects o
  where o.tenant_id = $1 and o.cluster = r.cluster and o.kind = 'Job' and o.namespace = r.namespace and o.name = r.name
    and o.created_at <= coalesce(r.started_at, r.created_at)
  order by o.created_at desc limit 1
) j on r.root_kind = 'Job'
left join lateral (
  select c.at
  from segments s
  join workloads w on w.tenant_id = s.tenant_id and w.workload_id = s.workload_id
  join checkpoint_facts c on c.tenant_id = w.tenant_id and c.cluster in (w.cluster, '')
    and c.namespace in (w.namespace, '') and c.pod in (w.name, w.uid) and c.pod <> ''
  where s.tenant_id = $1 and s.attempt_id = a.attempt_id and c.at > a.started_at and c.at <= a.ended_at
  union
  select c.at from checkpoint_facts c
  where c.tenant_id = $1 and c.run <> '' and c.run = r.run_id and c.at > a.started_at and c.at <= a.ended_at
) d on true
order by r.run_id, a.started_at, a.attempt_id, d.at

-- name: waste.machine_facts
-- Machines of the days, and whether they lack a taint for GPUs. That is known only if taints of the cluster are
-- reported: some machine in it, with GPUs or without, has a taint or is reported to have none. A machine without
-- taints may have no NodeTaints at all.
with kept as (
  select o.cluster, o.name from objects o
  where o.tenant_id = $1 and o.kind = 'NodeTaints'
    and exists (select from jsonb_each_text(o.attrs) t where t.key like 'taint/%gpu%'
      and t.value in ('NoSchedule', 'NoExecute'))
), told as (
  select distinct o.cluster from objects o where o.tenant_id = $1 and o.kind = 'NodeTaints'
)
select n.node_id, n.cluster, n.name, coalesce(n.instance_type, ''), coalesce(n.gpu_model, ''), n.owner_id,
       n.appeared_at, n.gone_at,
       n.in_source and exists (select from told t where t.cluster = n.cluster)
         and not exists (select from kept k where k.cluster = n.cluster and k.name = n.name)
from nodes n
where n.tenant_id = $1 and n.gpus > 0 and n.appeared_at < $3 and n.gone_at > $2
order by n.node_id

-- name: waste.machines
-- The traces of all machines on a day.
select trace from waste_days where tenant_id = $1 and day = $2 and scope = 'node' order by subject_id

-- name: waste.nodes
-- Machines that have rows in the ledger on a day, with their owner while they are free.
select n.node_id, n.cluster, n.name, n.instance_id, coalesce(n.instance_type, ''), coalesce(n.gpu_model, ''), n.gpus,
       n.replicas, n.appeared_at is not null,
       n.owner_id, coalesce(nullif(o.team, 'unowned'), '')
from chunks c
join nodes n on n.tenant_id = c.tenant_id and n.node_id = c.node_id
left join owners o on o.tenant_id = n.tenant_id and o.owner_id = n.owner_id
where c.tenant_id = $1 and c.day = $2
order by n.cluster, n.node_id

-- name: waste.of_scope
-- All subjects of a scope that have findings.
select distinct scope, subject_id as id from findings where tenant_id = $1 and scope = $2

-- name: waste.orphans
-- Times in which machines were not used, for the given subjects or for a day.
select subject_id as subject, node_id as node, from_at as "from", to_at as "to"
from findings
where tenant_id = $1 and kind = 'orphaned_node' and (subject_id = any($2::uuid[]) or to_at > $3 and from_at < $4)
order by subject_id, from_at

-- name: waste.other_costs
-- Cost per hour of machines while other pods were on them, without the host's part, which these pods have already if
-- the policy gives them one.
select p.node_id, p.hour, p.currency, max(p.state) as state, sum(p.effective_cost) as amount
from postings p
join (
  select n.node_id, date_trunc('hour', min(h.held_from), 'UTC') as from_hour, max(h.held_to) as to_hour
  from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) h (node_id, held_from, held_to)
  join nodes n on n.tenant_id = $1 and n.node_id = h.node_id
  group by 1
) h on h.node_id = p.node_id and p.hour >= h.from_hour and p.hour < h.to_hour
where p.tenant_id = $1 and p.usage_id is not null and p.cause <> 'host' and p.effective_cost is not null
group by 1, 2, 3
order by 1, 2, 3

-- name: waste.other_machines
-- vCPUs and bytes of memory of machines, from the newest of their facts. Facts name an instance by the last part of
-- its key (docs/rules.md, 2.1).
select distinct on (n.node_id) n.node_id, coalesce((f.capacity ->> 'cpu')::bigint, 0) as vcpu,
  coalesce((f.capacity ->> 'memory')::bigint, 0) as memory
from nodes n
join node_facts f on f.tenant_id = n.tenant_id and f.cluster = n.cluster and f.name = n.name
  and (f.instance_id in ('', regexp_replace(n.instance_id, '^.*/', '')) or n.instance_id = '')
where n.tenant_id = $1 and n.node_id = any($2::uuid[])
order by n.node_id, f.capacity_at desc

-- name: waste.others
-- Holds of pods without GPUs on machines with GPUs, with their requests; pods that belong to every machine
-- (DaemonSets, static pods) are left out.
select w.node_id, w.hold_from as "from", w.hold_to as "to",
  coalesce((f.requests ->> 'cpu')::bigint, 0) as milli_cpu, coalesce((f.requests ->> 'memory')::bigint, 0) as memory
from workloads w
join workload_facts f on f.tenant_id = w.tenant_id and f.cluster = w.cluster and f.uid = w.uid
where w.tenant_id = $1 and w.node_id = any($2::uuid[]) and f.system = '' and w.kind not in ('DaemonSet', 'Node')
  and w.hold_to > w.hold_from
  and not exists (select from jsonb_object_keys(f.requests) k where k not in ('cpu', 'memory'))
  and not exists (select from placements p where p.tenant_id = w.tenant_id and p.cluster = w.cluster
    and p.workload = w.uid)
order by w.node_id, w.hold_from

-- name: waste.rows
-- Usage rows of machines on a day with their cost, once per currency.
select u.node_id, u.usage_id, u.hour, u.slot, coalesce(u.slice_id, -1), coalesce(u.device, ''),
       coalesce(u.mig_profile, ''), u.workload_id, u.attempt_id,
       u.cause, u.active_seconds, u.quality, coalesce(u.capacity_gpu_hours, 0), p.currency, p.state, p.effective_cost
from usage u
left join (
  -- final < open < provisional: the least settled
  select usage_id, currency, max(state) as state, sum(effective_cost) as effective_cost
  from postings
  where tenant_id = $1 and hour >= $2 and hour < $2 + interval '1 day' and node_id = any($3::uuid[])
    and usage_id is not null and effective_cost is not null
  group by usage_id, currency
) p on p.usage_id = u.usage_id
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $2 + interval '1 day' and u.node_id = any($3::uuid[])
order by u.node_id, u.hour, u.usage_id, p.currency

-- name: waste.run_costs
-- Usage and cost of runs, without the host.
select run_id, coalesce(currency, '') as currency,
  coalesce(max(state) filter (where effective_cost is not null), '') as state,
  coalesce(sum(effective_cost), 0) as amount, coalesce(sum(gpu_hours), 0) as gpu_hours
from postings
where tenant_id = $1 and run_id = any($2::text[]) and cause in ('used', 'held_idle', 'overhead', 'lost', 'unobserved')
group by run_id, coalesce(currency, '')

-- name: waste.run_keys
-- Runs that existed on the days, and those that had a finding then.
select run_id from runs
where tenant_id = $1 and coalesce(started_at, created_at) < $3 and (ended_at is null or ended_at > $2)
union
select run_id from findings where tenant_id = $1 and scope = 'run' and run_id is not null and from_at < $3
  and to_at > $2

-- name: waste.spans
-- Holders of the machines on a day, and why parts of them were free.
select node_id, slot, coalesce(slice_id, -1) as slice, workload_id as holder, attempt_id as attempt, cause,
  from_at as "from", to_at as "to"
from spans
where tenant_id = $1 and day = $2 and node_id = any($3::uuid[])
order by node_id, from_at, slot, slice_id, workload_id, attempt_id, cause

-- name: waste.traces
-- All days of subjects.
select d.scope, d.subject_id as id, d.day, d.trace
from unnest($2::text[], $3::uuid[]) as k (scope, subject_id)
join waste_days d on d.tenant_id = $1 and d.scope = k.scope and d.subject_id = k.subject_id
order by d.scope, d.subject_id, d.day

-- name: waste.waits
-- Workloads that asked for 2, 4 or 8 GPUs and had none yet at some time of a day.
select q.cluster, q.gpus, q.created_at as "from", q.until as "to"
from (
  select f.cluster, (f.requests ->> 'nvidia_com_gpu')::bigint as gpus, f.created_at,
         coalesce(w.hold_from, f.completed_at, f.terminal_at, f.deleted_at, f.last_seen) as until
  from workload_facts f
  left join workloads w on w.tenant_id = f.tenant_id and w.cluster = f.cluster and w.uid = f.uid
  where f.tenant_id = $1 and f.created_at < $2::timestamptz + interval '1 day' and f.last_seen > $2
    and f.requests ? 'nvidia_com_gpu'
) q
where q.gpus in (2, 4, 8) and q.until > q.created_at and q.until > $2
order by q.cluster, q.created_at
