insert into spot_hits (tenant_id, node_id, attempt_id, recovery_seconds)
select $1::int, n.node_id, n.attempt_id, n.seconds
from unnest($2::uuid[], $3::uuid[], $4::bigint[]) n (node_id, attempt_id, seconds)
on conflict do nothing
