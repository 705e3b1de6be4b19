with inputs as (
  select jsonb_build_object(
    'deliveries', (select jsonb_build_object('count', count(*), 'md5', md5(string_agg(delivery_id::text, ',' order by delivery_id)))
      from deliveries where tenant_id = $1 and state = 'current'),
    'imports', (select jsonb_build_object('count', count(*), 'md5', md5(string_agg(import_id::text, ',' order by import_id)))
      from imports where tenant_id = $1 and state = 'published'),
    'policies', (select coalesce(jsonb_object_agg(version, md5(document)), '{}') from policy_versions where tenant_id = $1 and withdrawn_at is null and not only_rates)
  ) as all_of_them
)
insert into calculations (tenant_id, calculation_id, policy_version, mark, started_at, seen_at, inputs, input_digest)
select $1, $2, $3, $4, $5, now(), all_of_them, sha256(convert_to(all_of_them::text, 'UTF8')) from inputs
on conflict (tenant_id, calculation_id) do update
set policy_version = excluded.policy_version, mark = excluded.mark, started_at = excluded.started_at, seen_at = excluded.seen_at,
  inputs = excluded.inputs, input_digest = excluded.input_digest, finished_at = null, chunks = 0, message = null
