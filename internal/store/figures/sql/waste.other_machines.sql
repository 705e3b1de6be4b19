-- vCPUs and bytes of memory of machines, as the newest of their facts say. Facts
-- name an instance by the last part of its key (docs/rules.md, 2.1).
select distinct on (n.node_id) n.node_id, (f.capacity ->> 'cpu')::bigint, (f.capacity ->> 'memory')::bigint
from nodes n
join node_facts f on f.tenant_id = n.tenant_id and f.cluster = n.cluster and f.name = n.name and (f.instance_id in ('', regexp_replace(n.instance_id, '^.*/', '')) or n.instance_id = '')
where n.tenant_id = $1 and n.node_id = any($2::uuid[])
order by n.node_id, f.capacity_at desc
