select cluster, namespace, pod, at from checkpoints where tenant_id = $1
order by cluster, namespace, pod, at
