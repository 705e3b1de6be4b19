-- What was added up is to be added up again.
insert into analysis_days (tenant_id, step, day)
select tenant_id, 'costs', day from rolled_days
on conflict do nothing
