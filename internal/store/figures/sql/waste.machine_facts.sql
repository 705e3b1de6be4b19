-- Machines of the days, and whether they lack a taint for GPUs where taints are
-- told: some machine of the cluster, with GPUs or without, has one or is said to
-- have none. A machine without taints may have no NodeTaints at all.
with kept as (
  select o.cluster, o.name from objects o
  where o.tenant_id = $1 and o.kind = 'NodeTaints'
    and exists (select from jsonb_each_text(o.attrs) t where t.key like 'taint/%gpu%' and t.value in ('NoSchedule', 'NoExecute'))
), told as (
  select distinct o.cluster from objects o where o.tenant_id = $1 and o.kind = 'NodeTaints'
)
select n.node_id, n.cluster, n.name, coalesce(n.instance_type, ''), coalesce(n.gpu_model, ''), n.owner_id, n.appeared_at, n.gone_at,
       n.in_source and exists (select from told t where t.cluster = n.cluster)
         and not exists (select from kept k where k.cluster = n.cluster and k.name = n.name)
from nodes n
where n.tenant_id = $1 and n.gpus > 0 and n.appeared_at < $3 and n.gone_at > $2
order by n.node_id
