-- Checkpoints that were reported or posted.
select c.at, nullif(c.cluster, '') as cluster, nullif(c.namespace, '') as namespace, nullif(c.pod, '') as workload, nullif(c.run, '') as run_id,
       nullif(c.step, -1) as step, nullif(c.took, 0) * 0.001 as duration_seconds
from checkpoint_facts c
where c.tenant_id = @tenant and c.at >= @from and c.at < @to
