-- Machines that ever had MIG instances and have a chunk of the day.
select n.node_id, n.cluster, n.name, coalesce(n.provider_id, ''), coalesce(n.instance_type, ''), coalesce(n.gpu_model, ''), n.gpus, n.replicas, n.appeared_at, n.gone_at
from nodes n
where n.tenant_id = $1 and n.gpus > 0
  and exists (select from devices d where d.tenant_id = $1 and d.cluster = n.cluster and d.node = n.name and d.in_mig)
  and exists (select from chunks c where c.tenant_id = $1 and c.node_id = n.node_id and c.day = $2)
order by n.cluster, n.name, n.node_id
