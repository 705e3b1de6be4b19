select k.node_id, k.day, k.digest, exists (select from dirty x where x.tenant_id = k.tenant_id and x.node_id = k.node_id and x.day = k.day)
from chunks k
where k.tenant_id = $1 and k.day >= $2 and k.day < $3
