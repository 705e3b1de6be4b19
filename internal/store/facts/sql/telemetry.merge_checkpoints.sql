insert into checkpoint_facts as c (tenant_id, cluster, namespace, pod, run, at, step, took, statement)
select $1, cluster, namespace, pod, run, at, max(step), max(took), statement
from next_checkpoints
group by cluster, namespace, pod, run, at, statement
on conflict (tenant_id, cluster, namespace, pod, run, at, statement) do update set step = greatest(c.step, excluded.step), took = greatest(c.took, excluded.took)
where c.step < excluded.step or c.took < excluded.took
