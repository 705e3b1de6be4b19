-- Machines, workloads, runs and attempts as derived from facts.

-- name: world.billed
with keys as (
  select d.number as delivery, t.account, t.billing_period, t.currency,
    bool_or(t.metric = 'effective_cost' and t.role = 'book') as prices, bool_and(t.counts_seconds) as counts
  from deliveries d
  join control_totals t on t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id
  where d.tenant_id = $1 and d.state = 'current'
  group by d.number, t.account, t.billing_period, t.currency
  having bool_or(t.role = 'book')
), notes as (
  select n.*, k.account, k.currency, k.prices,
    case when k.prices then n.effective_cost end as effective, case when k.counts then n.instance_seconds end as seconds
  from charge_instances n
  join charge_scopes s on s.tenant_id = n.tenant_id and s.delivery = n.delivery and s.scope = n.scope
  join keys k on k.delivery = n.delivery and k.account = s.account and k.billing_period = s.billing_period
    and k.currency = s.currency
  where n.tenant_id = $1
), machines as ( -- if one bill has two exports, the one whose cost prices hours without a bill
  select distinct on (instance_key) *, min(starts) over machine as first_starts,
    sum(effective) over newest as newest_effective, sum(seconds) over newest as newest_seconds
  from notes
  window machine as (partition by instance_key), newest as (partition by instance_key, ends, newest_starts, currency)
  order by instance_key, ends desc, newest_starts desc, prices desc, instance_seconds is null, charge_id
)
select m.instance_key as instance_id, m.charge_id as line, coalesce(i.instance_type, '') as instance_type,
  coalesce(i.region, '') as region,
  coalesce(i.zone, '') as zone, coalesce(i.price_class, '') as price_class, m.account, t.tags,
  to_timestamp(m.first_starts) as from, to_timestamp(m.ends) as to,
  m.currency, m.newest_effective as effective, m.newest_seconds::bigint as seconds, m.usage_amount
from machines m
join charge_items i on i.tenant_id = m.tenant_id and i.delivery = m.delivery and i.item = m.item
left join charge_tags t on t.tenant_id = m.tenant_id and t.delivery = m.delivery and t.tag_set = m.tag_set
order by m.instance_key

-- name: world.checkpoints
select distinct cluster, namespace, pod, run, at, step, 0::bigint as took, '' as statement from checkpoint_facts
where tenant_id = $1
order by cluster, namespace, pod, run, at

-- name: world.copy_attempts
copy next_attempts (tenant_id, attempt_id, run_id, attempt, task, started_at, ended_at, running, outcome, reason,
  pricing, nodes, gpus,
  loss_basis, loss_from, last_checkpoint_at, gang_complete_at, may_lose_from) from stdin (format binary)

-- name: world.copy_limits
copy next_limit_labels (tenant_id, budget_id, version, label, standing, name, key, value, text, amount, others, cluster,
  workload, workloads, first_seen, last_seen) from stdin (format binary)

-- name: world.copy_nodes
copy next_nodes (tenant_id, node_id, cluster, name, provider_id, instance_id, labels, tags, appeared_at, gone_at,
  instance_type, region, zone, price_class, gpu_model, gpus, replicas, account, in_source, seen_by, owner_id, dark_days)
  from stdin (format binary)

-- name: world.copy_owners
copy next_owners (tenant_id, owner_id, business_unit, team, project, model, model_version, stage, environment,
  cost_center, experiment, dataset, "user", priority, queue, labels) from stdin (format binary)

-- name: world.copy_runs
copy next_runs (tenant_id, run_id, group_id, cluster, namespace, name, root_kind, kind, status, created_at, started_at,
  ended_at,
  attempts, preemptions, world, queue_wait_seconds, budget, owner_id, labels) from stdin (format binary)

-- name: world.copy_segments
copy next_segments (tenant_id, attempt_id, workload_id, from_at, to_at, weight, loss_basis, loss_from)
from stdin (format binary)

-- name: world.copy_workloads
copy next_workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, service, owner_name, class,
  node_id, hold_from, hold_to, outcome, reason, run_id, owner_id, labels) from stdin (format binary)

-- name: world.create_stage
create temp table next_nodes (like nodes) on commit drop;
create temp table next_owners (like owners including defaults) on commit drop;
create temp table next_workloads (like workloads) on commit drop;
create temp table next_runs (like runs) on commit drop;
create temp table next_attempts (like attempts) on commit drop;
create temp table next_segments (like segments) on commit drop;
create temp table next_limit_labels (like limit_labels) on commit drop;

-- name: world.delete_stale
delete from :table o
where o.tenant_id = $1
  and not exists (select from next_:table n where n.:key = o.:key and row(n.*) is not distinct from row(o.*))

-- name: world.device_facts
select cluster, node as name, device as uuid, device_index as index, model, in_mig, registered,
  date_trunc('hour', first_at, 'UTC') as first, date_trunc('hour', last_at, 'UTC') as last
from device_facts where tenant_id = $1
order by cluster, node, device_index, device

-- name: world.devices
select cluster, node as name, device as uuid, device_index as index, model, first_hour as first, last_hour as last,
  in_mig, false as registered,
  first_at as from, last_at as to
from devices where tenant_id = $1
order by cluster, node, device_index, device

-- name: world.events
select provider, instance_id, kind, detail, at, account, region, event_id from instance_events where tenant_id = $1
order by provider, instance_id, at, kind, detail, account

-- name: world.insert_new
insert into :table
select n.* from next_:table n
where n.tenant_id = $1
  and not exists (select from :table o where o.tenant_id = n.tenant_id and o.:key = n.:key
    and row(n.*) is not distinct from row(o.*))

-- name: world.insert_owners
insert into owners select * from next_owners where tenant_id = $1 on conflict do nothing

-- name: world.placements
select cluster, workload, evidence, node, device, slice_id, from_at as from, to_at as to, core_share, memory_share
from placements where tenant_id = $1
order by cluster, workload, evidence, node, device, slice_id, from_at

-- name: world.remember
insert into derived_state (tenant_id, digest) values ($1, $2)
on conflict (tenant_id) do update set digest = excluded.digest

-- name: world.sources
select cluster, source, hour, minutes from source_hours
where tenant_id = $1 and source <> 'exporter'
order by cluster, source, hour

-- name: world.stretches
select cluster, node as name, from_at as from, to_at as to from node_stretches
where tenant_id = $1
order by cluster, node, from_at

-- name: world.unchanged
-- Whether the stored state was saved with this digest and is still complete.
select exists (select from derived_state where tenant_id = $1 and digest = $2)
  and (select count(*) from nodes where tenant_id = $1) = $3
  and (select count(*) from workloads where tenant_id = $1) = $4
  and (select count(*) from runs where tenant_id = $1) = $5
  and (select count(*) from attempts where tenant_id = $1) = $6
  and (select count(*) from segments where tenant_id = $1) = $7
  and (select count(*) from owners where tenant_id = $1) >= $8
  and (select count(*) from limit_labels where tenant_id = $1) = $9

-- name: world.workload_events
select cluster, kind, namespace, name, uid, what, at, reason
from workload_events where tenant_id = $1
order by cluster, kind, namespace, name, uid, what, at
