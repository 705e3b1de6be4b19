with o as (select * from attempts where tenant_id = $1),
changed as (
  select coalesce(o.attempt_id, n.attempt_id) as attempt_id,
    o.started_at as old_from, o.ended_at as old_to, n.started_at as new_from, n.ended_at as new_to,
    coalesce(o.running and n.running
      and to_jsonb(o) - array['ended_at', 'last_checkpoint_at', 'nodes', 'gpus', 'pricing']
        = to_jsonb(n) - array['ended_at', 'last_checkpoint_at', 'nodes', 'gpus', 'pricing'], false) as only_end
  from o full join next_attempts n on n.attempt_id = o.attempt_id
  where row(o.*) is distinct from row(n.*)
), renamed as ( -- days say of attempts what ended the one before, and of what kind their run is (docs/figures.md 20.1, 20.2)
  select z.attempt_id, z.started_at, z.ended_at
  from next_attempts z
  left join o b on b.run_id = z.run_id and b.task = z.task and b.attempt = z.attempt - 1
  left join next_attempts n on n.run_id = z.run_id and n.task = z.task and n.attempt = z.attempt - 1
  where coalesce(b.reason = 'spot_interruption', false) <> coalesce(n.reason = 'spot_interruption', false)
  union
  select z.attempt_id, z.started_at, z.ended_at
  from runs r
  join next_runs n on n.run_id = r.run_id and n.kind <> r.kind
  join next_attempts z on z.run_id = n.run_id
  where r.tenant_id = $1
), extent as (
  select attempt_id, least(old_to, new_to) as from_at, greatest(old_to, new_to) as to_at from changed where only_end
  union all
  select attempt_id, old_from, old_to from changed where not only_end and old_from is not null
  union all
  select attempt_id, new_from, new_to from changed where not only_end and new_from is not null
  union all
  select attempt_id, started_at, ended_at from renamed
), place as (
  select s.attempt_id, w.node_id, s.from_at, s.to_at
  from segments s join workloads w on w.tenant_id = s.tenant_id and w.workload_id = s.workload_id
  where s.tenant_id = $1
  union
  select s.attempt_id, w.node_id, s.from_at, s.to_at
  from next_segments s join next_workloads w on w.workload_id = s.workload_id
)
insert into touched
select distinct p.node_id, greatest(p.from_at, e.from_at), least(p.to_at, e.to_at), 'attempt'
from extent e join place p using (attempt_id)
where p.from_at <= e.to_at and p.to_at >= e.from_at
