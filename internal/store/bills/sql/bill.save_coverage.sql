insert into coverage (tenant_id, account, covered_until)
select $1, account, covered_until from next_coverage
on conflict (tenant_id, account) do update set covered_until = excluded.covered_until
where coverage.covered_until <> excluded.covered_until
