insert into spot_rates (tenant_id, node_id, hour, currency, source, detail, hourly, gpus)
select $1, r.node_id, to_timestamp(r.hour), r.currency, r.source, r.detail, r.hourly, n.gpus
from unnest($2::text[]::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[]::numeric[]) r (node_id, hour, currency, source, detail, hourly)
join nodes n on n.tenant_id = $1 and n.node_id = r.node_id
