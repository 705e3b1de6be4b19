delete from spot_hits o
where o.tenant_id = $1
  and not exists (
    select from unnest($2::uuid[], $3::uuid[], $4::bigint[]) n (node_id, attempt_id, seconds)
    where n.node_id = o.node_id and n.attempt_id = o.attempt_id and n.seconds is not distinct from o.recovery_seconds)
