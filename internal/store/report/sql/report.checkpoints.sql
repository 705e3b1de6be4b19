-- Checkpoints that were reported or posted.
select c.at, nullif(c.cluster, '') as cluster, nullif(c.namespace, '') as namespace, nullif(c.pod, '') as workload, nullif(c.run, '') as run_id,
       nullif(c.step, -1) as step, nullif(c.took, 0) * 0.001 as duration_seconds
from ( -- one that several statements name is one
  select c.tenant_id, c.at, c.cluster, c.namespace, c.pod, c.run, max(c.step) as step, max(c.took) as took
  from checkpoint_facts c
  group by c.tenant_id, c.at, c.cluster, c.namespace, c.pod, c.run
) c
where c.tenant_id = @tenant and c.at >= @from and c.at < @to
