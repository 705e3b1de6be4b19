insert into share_days (tenant_id, day, fingerprint)
select $1, * from unnest($2::timestamptz[], $3::text[])
