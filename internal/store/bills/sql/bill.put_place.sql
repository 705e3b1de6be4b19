insert into delivery_places (tenant_id, lineage, place, sha256, delivery_id)
select d.tenant_id, d.lineage, $3, $4, d.delivery_id from deliveries d where d.tenant_id = $1 and d.delivery_id = $2
on conflict (tenant_id, lineage, place_id) do update set sha256 = excluded.sha256, delivery_id = excluded.delivery_id
