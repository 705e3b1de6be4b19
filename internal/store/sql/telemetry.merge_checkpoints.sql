insert into checkpoint_facts as c (tenant_id, cluster, namespace, pod, run, at, step, took)
select $1, cluster, namespace, pod, run, at, max(step), max(took)
from next_checkpoints
group by cluster, namespace, pod, run, at
on conflict (tenant_id, cluster, namespace, pod, run, at) do update set step = greatest(c.step, excluded.step), took = greatest(c.took, excluded.took)
where c.step < excluded.step or c.took < excluded.took
