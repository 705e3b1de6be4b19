insert into fact_conflicts select * from next_conflicts where tenant_id = $1 on conflict do nothing
