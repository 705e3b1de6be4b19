insert into sample_signals (tenant_id, signal, name) select $1, * from unnest($2::smallint[], $3::text[]) on conflict do nothing
