insert into delivery_coverage (tenant_id, delivery_id, account, covered_until)
values ($1, $2, $3, $4)
on conflict do nothing
