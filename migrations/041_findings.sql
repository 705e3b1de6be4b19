-- Findings mean what they say (docs/figures.md, 18.1) and a month is told only
-- from seven days on (19.1): all are found anew.
set local lock_timeout = '5s';

alter table recommendations alter saving_per_month drop not null;

insert into analysis_days (tenant_id, step, day)
select tenant_id, s.step, day from rolled_days, (values ('waste'), ('advice')) s (step)
on conflict do nothing;
---- create above / drop below ----
update recommendations set saving_per_month = 0 where saving_per_month is null;
alter table recommendations alter saving_per_month set not null;
