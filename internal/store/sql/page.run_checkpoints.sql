-- Checkpoints that pods of a run's attempts reported inside those attempts (docs/rules.md 6.9).
select distinct c.at
from attempts a
join segments s on s.tenant_id = a.tenant_id and s.attempt_id = a.attempt_id
join workloads w on w.tenant_id = s.tenant_id and w.workload_id = s.workload_id
join checkpoints c on c.tenant_id = w.tenant_id and c.cluster = w.cluster and c.namespace = w.namespace and c.pod = w.name
where a.tenant_id = $1 and a.run_id = $2 and c.at > a.started_at and c.at <= a.ended_at
order by c.at
