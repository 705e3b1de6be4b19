-- Machines of which the ledger has something on a day, with whose they are while nobody
-- holds them.
select n.node_id, n.cluster, n.name, n.instance_id, coalesce(n.instance_type, ''), coalesce(n.gpu_model, ''), n.gpus, n.replicas, n.appeared_at is not null,
       n.owner_id, coalesce(nullif(o.team, 'unowned'), '')
from chunks c
join nodes n on n.tenant_id = c.tenant_id and n.node_id = c.node_id
left join owners o on o.tenant_id = n.tenant_id and o.owner_id = n.owner_id
where c.tenant_id = $1 and c.day = $2
order by n.cluster, n.node_id
