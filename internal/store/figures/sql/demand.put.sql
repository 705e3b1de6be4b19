insert into demand_days (tenant_id, day, cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, service, device_model, region, provider,
  slices, gpu_hours, hours, activity, memory, slice_memory, held_hours)
select $1, $2, d.*
from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::uuid[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[],
  $18::int[], $19::text[]::numeric[], $20::int[], $21::bytea[], $22::bytea[], $23::bigint[], $24::int[]) d
