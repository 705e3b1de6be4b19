insert into on_demand_hours (tenant_id, account, instance_type, region, currency, hour, cost, seconds)
select $1, l.* from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[]::numeric[], $8::bigint[]) l
