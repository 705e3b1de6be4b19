insert into allocation_batches (tenant_id, calculation_id, batch, node_days, work)
select $1::int, $2::uuid, b.batch, b.node_days, b.work from unnest($3::int[], $4::int[], $5::bytea[]) b (batch, node_days, work)
