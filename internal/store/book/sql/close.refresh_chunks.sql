update chunks c set digest = d.digest
from unnest($2::uuid[], $3::timestamptz[], $4::bytea[]) d (node_id, day, digest)
where c.tenant_id = $1 and c.node_id = d.node_id and c.day = d.day
