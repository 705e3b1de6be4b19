insert into checkpoint_facts as c (tenant_id, cluster, namespace, pod, run, at, step)
select $1, cluster, namespace, pod, run, at, max(step)
from next_checkpoints
group by cluster, namespace, pod, run, at
on conflict (tenant_id, cluster, namespace, pod, run, at) do update set step = excluded.step
where c.step < excluded.step
