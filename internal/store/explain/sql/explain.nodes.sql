-- The node-hours asked for, with what telemetry there is behind them.
select k.node_id, k.hour, coalesce(n.name, ''), coalesce(n.cluster, ''),
  coalesce((select sum(s.row_count) from sample_hours s
    where s.tenant_id = $1 and s.cluster = n.cluster and s.node = n.name and s.hour = k.hour), 0)::bigint,
  coalesce((select sum(bit_count(e.minutes::bit(64))) from hold_evidence e
    where e.tenant_id = $1 and e.cluster = n.cluster and e.node = n.name and e.hour = k.hour), 0)::bigint
from unnest($2::uuid[], $3::timestamptz[]) with ordinality k(node_id, hour, place)
left join nodes n on n.tenant_id = $1 and n.node_id = k.node_id
order by k.place
