-- Checkpoints posted for a run, or reported by workloads of its attempts inside those attempts (docs/rules.md 6.9).
select distinct c.at
from attempts a
join segments s on s.tenant_id = a.tenant_id and s.attempt_id = a.attempt_id
join workloads w on w.tenant_id = s.tenant_id and w.workload_id = s.workload_id
join checkpoint_facts c on c.tenant_id = w.tenant_id and c.cluster = w.cluster and c.namespace = w.namespace and c.pod in (w.name, w.uid)
where a.tenant_id = $1 and a.run_id = $2 and c.at > a.started_at and c.at <= a.ended_at
union
select c.at
from checkpoint_facts c join attempts a on a.tenant_id = c.tenant_id and a.run_id = c.run and c.at > a.started_at and c.at <= a.ended_at
where c.tenant_id = $1 and c.run = $2
order by 1
