-- Merging machines, workloads, placements, events and results, in any order.

-- name: experiment.merge_results
-- Of two results with one key the larger wins, so that the order of imports does not matter. An equal result at another
-- time was read in another time zone: the later import wins.
insert into experiment_results as r (tenant_id, result_id, experiment, run, metric, value, baseline, threshold,
    lower_is_better, at, model_version, dataset, dataset_size, dataset_unit, import_id)
select distinct on (result_id) tenant_id, result_id, experiment, run, metric, value, baseline, threshold,
  lower_is_better, at, model_version, dataset, dataset_size, dataset_unit, import_id
from next_experiment_results
where tenant_id = $1
order by result_id, value desc, coalesce(baseline, '-Infinity') desc, coalesce(threshold, '-Infinity') desc,
  lower_is_better desc, coalesce(dataset_size, '-Infinity') desc, dataset_unit desc
on conflict (tenant_id, result_id) do update
set value = excluded.value, baseline = excluded.baseline, threshold = excluded.threshold,
  lower_is_better = excluded.lower_is_better, at = excluded.at, dataset_size = excluded.dataset_size,
  dataset_unit = excluded.dataset_unit, import_id = excluded.import_id
where (excluded.value, coalesce(excluded.baseline, '-Infinity'), coalesce(excluded.threshold, '-Infinity'),
    excluded.lower_is_better, coalesce(excluded.dataset_size, '-Infinity'), excluded.dataset_unit)
    > (r.value, coalesce(r.baseline, '-Infinity'), coalesce(r.threshold, '-Infinity'), r.lower_is_better,
      coalesce(r.dataset_size, '-Infinity'), r.dataset_unit)
  or (excluded.value, excluded.baseline, excluded.threshold, excluded.lower_is_better, excluded.dataset_size,
      excluded.dataset_unit)
    is not distinct from (r.value, r.baseline, r.threshold, r.lower_is_better, r.dataset_size, r.dataset_unit)
    and excluded.at is distinct from r.at

-- name: telemetry.merge_checkpoints
insert into checkpoint_facts as c (tenant_id, cluster, namespace, pod, run, at, step, took, statement)
select $1, cluster, namespace, pod, run, at, max(step), max(took), statement
from next_checkpoints
group by cluster, namespace, pod, run, at, statement
on conflict (tenant_id, cluster, namespace, pod, run, at, statement) do update
set step = greatest(c.step, excluded.step), took = greatest(c.took, excluded.took)
where c.step < excluded.step or c.took < excluded.took

-- name: telemetry.merge_events
insert into workload_events as e (tenant_id, cluster, kind, namespace, name, uid, what, at, reason)
select $1, cluster, kind, namespace, name, uid, what, at, max(reason)
from next_events
group by cluster, kind, namespace, name, uid, what, at
on conflict (tenant_id, cluster, kind, namespace, name, uid, what, at) do update set reason = excluded.reason
where e.reason < excluded.reason

-- name: telemetry.merge_node_states
with merged as (
  insert into node_state_hours as h (tenant_id, cluster, name, state, hour, minutes, known)
  select $1, cluster, name, state, hour, bit_or(minutes), bit_or(known)
  from next_node_states
  group by cluster, name, state, hour
  on conflict (tenant_id, cluster, name, state, hour) do update
  set minutes = h.minutes | excluded.minutes, known = h.known | excluded.known
  where h.minutes | excluded.minutes <> h.minutes or h.known | excluded.known <> h.known
  returning cluster, name, hour
)
insert into touched_names select distinct cluster, name, hour, 'node state' from merged

-- name: telemetry.merge_placements
with claims as (
  select cluster, workload, evidence, node, device, slice_id, from_at, max(to_at) as to_at,
    max(core_share) as core_share, max(memory_share) as memory_share
  from next_placements
  group by cluster, workload, evidence, node, device, slice_id, from_at
), old as ( -- as before this statement
  select p.*
  from claims c
  join placements p on p.tenant_id = $1 and p.cluster = c.cluster and p.workload = c.workload
    and p.evidence = c.evidence
    and p.node = c.node and p.device = c.device and p.slice_id = c.slice_id and p.from_at = c.from_at
), merged as (
  insert into placements as p (tenant_id, cluster, workload, evidence, node, device, slice_id, from_at, to_at,
      core_share, memory_share)
  select $1, * from claims
  on conflict (tenant_id, cluster, workload, evidence, node, device, slice_id, from_at) do update
  set to_at = greatest(p.to_at, excluded.to_at), core_share = greatest(p.core_share, excluded.core_share),
    memory_share = greatest(p.memory_share, excluded.memory_share)
  where excluded.to_at > coalesce(p.to_at, '-infinity') or excluded.core_share > p.core_share
    or excluded.memory_share > p.memory_share
  returning *
), moved as ( -- a later end affects only the time after the old end; other changes may decide which evidence counts
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

-- name: telemetry.merge_pod_states
with merged as (
  insert into pod_state_hours as h (tenant_id, cluster, uid, hour, minutes)
  select $1, cluster, uid, hour, bit_or(minutes)
  from next_pod_states
  group by cluster, uid, hour
  on conflict (tenant_id, cluster, uid, hour) do update
  set minutes = h.minutes | excluded.minutes
  where h.minutes | excluded.minutes <> h.minutes
  returning cluster, uid, hour
)
insert into touched_names
select distinct p.cluster, p.node, m.hour, 'pod state'
from merged m join workload_facts p on p.tenant_id = $1 and p.cluster = m.cluster and p.uid = m.uid
where p.node <> ''

-- name: telemetry.merge_sources
with merged as (
  insert into source_hours as h (tenant_id, cluster, source, hour, minutes)
  select $1, cluster, source, hour, bit_or(minutes)
  from next_sources
  group by cluster, source, hour
  on conflict (tenant_id, cluster, source, hour) do update
  set minutes = h.minutes | excluded.minutes
  where h.minutes | excluded.minutes <> h.minutes
  returning cluster, hour
), heard as (
  select distinct cluster, hour from merged
)
insert into touched
select n.node_id, greatest(n.appeared_at, m.hour), least(n.gone_at, m.hour + interval '1 hour'), 'placements seen'
from heard m join nodes n on n.tenant_id = $1 and n.cluster = m.cluster
where n.appeared_at < m.hour + interval '1 hour' and n.gone_at > m.hour
union all
-- The cost billed for an unobserved machine depends on the sources heard then (rule 2.9).
select n.node_id, m.hour, m.hour + interval '1 hour', 'sources heard'
from heard m join nodes n on n.tenant_id = $1 and n.cluster = m.cluster
where (n.appeared_at >= m.hour + interval '1 hour' or n.gone_at <= m.hour)
  and exists (select from parts p where p.tenant_id = $1 and p.node_id = n.node_id and p.hour = m.hour)

-- name: telemetry.merge_stretches
-- Uses all staged rows, even discarded ones: a machine's report is an observation of that machine, even if the card is
-- attributed to another.
with staged as (
  select cluster, node, hour, date_trunc('minute', min(first_at), 'UTC') as from_at, max(last_at) as to_at
  from next_samples
  where device not like 'host/%'
  group by cluster, node, hour
), stored as (
  select s.cluster, s.node, s.from_at, s.to_at
  from node_stretches s join (select distinct cluster, node from staged) t using (cluster, node)
  where s.tenant_id = $1
), parts as (
  select cluster, node, from_at, to_at from staged union all select cluster, node, from_at, to_at from stored
), joined as (
  select cluster, node, min(from_at) as from_at, max(to_at) as to_at
  from (
    select *, count(*) filter (where from_at > before + interval '7 days') over (partition by cluster, node
        order by from_at, to_at) as stretch
    from (
      select *, max(to_at) over (partition by cluster, node order by from_at,
          to_at rows between unbounded preceding and 1 preceding) as before
      from parts
    ) b
  ) s
  group by cluster, node, stretch
), gone as (
  delete from node_stretches s using stored o
  where s.tenant_id = $1 and s.cluster = o.cluster and s.node = o.node and s.from_at = o.from_at
    and not exists (select from joined j where j.cluster = o.cluster and j.node = o.node and j.from_at = o.from_at)
)
insert into node_stretches as s (tenant_id, cluster, node, from_at, to_at)
select $1, cluster, node, from_at, to_at from joined
on conflict (tenant_id, cluster, node, from_at) do update set to_at = excluded.to_at
where s.to_at <> excluded.to_at
