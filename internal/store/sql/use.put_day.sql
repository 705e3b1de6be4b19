insert into pod_use_days (tenant_id, day, cluster, namespace, pod, cpu, memory)
values ($1, $2, $3, $4, $5, $6, $7)
