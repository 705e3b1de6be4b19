-- How many checkpoints runs have: those posted for them, and those that workloads
-- of their attempts reported inside the attempts (docs/rules.md 6.9).
select d.run_id, count(distinct d.at)::bigint as checkpoints
from (
  select s.run_id, e.at
  from attempts s
  join segments q on q.tenant_id = s.tenant_id and q.attempt_id = s.attempt_id
  join workloads w on w.tenant_id = q.tenant_id and w.workload_id = q.workload_id
  cross join lateral (values (w.name), (w.uid)) pod (name)
  join checkpoint_facts e on e.tenant_id = w.tenant_id and e.cluster = w.cluster and e.namespace = w.namespace and e.pod = pod.name
    and e.at > s.started_at and e.at <= s.ended_at
  where s.tenant_id = @tenant and pod.name <> ''
  union all
  select s.run_id, e.at
  from attempts s
  join checkpoint_facts e on e.tenant_id = s.tenant_id and e.run = s.run_id and e.at > s.started_at and e.at <= s.ended_at
  where s.tenant_id = @tenant and e.run <> ''
) d
group by d.run_id
