insert into spot_interruptions (tenant_id, node_id, at, warned_at)
select $1, n.node_id::uuid, to_timestamp(n.at), to_timestamp(n.warned_at)
from unnest($2::text[], $3::bigint[], $4::bigint[]) n (node_id, at, warned_at)
on conflict do nothing
