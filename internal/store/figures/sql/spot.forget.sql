delete from spot_interruptions o
where o.tenant_id = $1
  and not exists (
    select from unnest($2::text[], $3::bigint[], $4::bigint[]) n (node_id, at, warned_at)
    where n.node_id::uuid = o.node_id and to_timestamp(n.at) = o.at and to_timestamp(n.warned_at) = o.warned_at)
