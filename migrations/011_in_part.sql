-- More views for scoped users: explanations, models, experiments, statements, spot, queues, the fleet.
set local lock_timeout = '5s';

-- Whether a bill line belongs to one owner alone: how many postings each part has. They are of the part's machine, if
-- it has one.
create or replace view part_words as
select b.tenant_id, b.hour, b.part_id, b.node_id, b.delivery_id, b.charge_id, b.kind, b.usage_seconds,
  case when b.node_id is null
    then (select count(*) from posting_rows p where p.tenant_id = b.tenant_id and p.hour = b.hour and p.node_id is null and p.part_id = b.part_id)
    else (select count(*) from posting_rows p where p.tenant_id = b.tenant_id and p.hour = b.hour and p.node_id = b.node_id and p.part_id = b.part_id)
  end as postings
from parts b;
create or replace view delivery_words as
select tenant_id, delivery_id, number, state from deliveries;
create or replace view sample_words as
select tenant_id, cluster, node, device_index, slice_id, hour, vectors, device, profile, model, row_count from sample_hours;

-- The models of all owners: a service is identified by the model that answered.
create view model_words as
select distinct tenant_id, model from owners where model <> '';
-- The statements in force, without their content.
create view statement_words as
select tenant_id, billing_account, billing_period, version, reopened_at from statements;
-- Ids and names of runs, to recognize results that name another owner's run.
create view run_words as
select tenant_id, run_id, name from runs;

-- Holds without their owners; users with access to the workload get its name from there.
create view hold_words as
select h.tenant_id, h.cluster, h.node, h.device, h.slice_id, h.hour, h.minutes, w.workload_id
from hold_evidence h
left join lateral (
  select v.workload_id from workloads v
  where v.tenant_id = h.tenant_id and v.cluster = h.cluster and v.namespace = h.namespace and v.name = h.pod
  order by v.hold_from desc nulls last limit 1
) w on true;
create view placement_words as
select p.tenant_id, p.cluster, p.node, p.device, p.slice_id, p.from_at, p.to_at, f.completed_at, f.terminal_at, f.last_seen, w.workload_id
from placements p
join workload_facts f on f.tenant_id = p.tenant_id and f.cluster = p.cluster and f.uid = p.workload and f.node = p.node
left join workloads w on w.tenant_id = p.tenant_id and w.cluster = p.cluster and w.uid = p.workload;
create view span_words as
select p.tenant_id, p.node_id, p.day, p.slot, p.slice_id, p.from_at, p.to_at, f.completed_at, f.terminal_at, f.last_seen, p.workload_id
from spans p
left join workloads w on w.tenant_id = p.tenant_id and w.workload_id = p.workload_id
left join workload_facts f on f.tenant_id = p.tenant_id and f.cluster = w.cluster and f.uid = w.uid
where p.workload_id is not null;

-- Interrupted spot machines that ended no attempt, with their owner.
create view unhit_words as
select i.tenant_id, i.node_id, coalesce(n.owner_id, '00000000-0000-0000-0000-000000000000') as owner_id, n.cluster
from spot_interruptions i
join nodes n on n.tenant_id = i.tenant_id and n.node_id = i.node_id
where not exists (select from spot_hits h where h.tenant_id = i.tenant_id and h.node_id = i.node_id);

-- Places where attempts held devices: pods of a run may have several owners.
create view attempt_places as
select s.tenant_id, s.attempt_id, s.from_at, w.workload_id, w.node_id, w.class, w.kind, w.namespace
from segments s
join workloads w on w.tenant_id = s.tenant_id and w.workload_id = s.workload_id;

-- Until when waiting work has waited, and the currency of each cluster, for all owners.
create view waited_until as
select t.tenant_id, greatest(
    (select max(n.gone_at) from nodes n where n.tenant_id = t.tenant_id),
    (select max(a.ended_at) from attempts a where a.tenant_id = t.tenant_id),
    (select max(f.last_seen) from workload_facts f where f.tenant_id = t.tenant_id)) as at
from tenants t;
create view cluster_currencies as
select c.tenant_id, c.cluster, m.currency
from (select distinct tenant_id, cluster from nodes) c
left join lateral (
  select p.currency
  from nodes n
  cross join lateral (
    select t.currency from posting_rows b join posting_terms t on t.tenant_id = b.tenant_id and t.terms_id = b.terms_id
    where b.tenant_id = n.tenant_id and b.node_id = n.node_id and t.currency is not null order by b.hour limit 1
  ) p
  where n.tenant_id = c.tenant_id and n.cluster = c.cluster
  order by n.node_id limit 1
) m on true;

-- Experiments of runs in scope, by their owner or by a result that names them.
create function experiments_in_scope() returns setof text
language plpgsql stable security definer parallel safe set search_path = public, pg_temp as $$
declare s scopes := session_scope();
begin
  return query
    select o.experiment from runs r join owners o on o.tenant_id = s.tenant_id and o.owner_id = r.owner_id
    where r.tenant_id = s.tenant_id and o.experiment <> '' and r.run_id in (select runs_in_scope())
    union
    select e.experiment from experiment_results e
    where e.tenant_id = s.tenant_id and e.run in (select x.word from runs r cross join lateral (values (r.run_id), (r.name)) x (word)
      where r.tenant_id = s.tenant_id and r.run_id in (select runs_in_scope()));
end $$;
---- create above / drop below ----
drop function experiments_in_scope() cascade; -- the policy that calls it is created again
drop view cluster_currencies, waited_until, attempt_places, unhit_words, span_words, placement_words, hold_words, run_words, statement_words, model_words;
drop view sample_words;
create view sample_words as
select tenant_id, cluster, node, device_index, slice_id, hour, vectors from sample_hours;
drop view delivery_words;
create view delivery_words as
select tenant_id, delivery_id, number from deliveries;
drop view part_words;
create view part_words as
select tenant_id, hour, part_id, node_id, delivery_id, charge_id, kind, usage_seconds from parts;
