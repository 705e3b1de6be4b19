select distinct cluster, namespace, pod, run, at, step from checkpoint_facts where tenant_id = $1
order by cluster, namespace, pod, run, at
