-- Hours in which subjects of advice existed (docs/figures.md, 19.1).
set local lock_timeout = '5s';

-- Bit h: something was held in hour h of the day. Existing days are computed again.
alter table demand_days add column held_hours int not null default 0;
insert into analysis_days (tenant_id, step, day) select distinct tenant_id, 'demand', day from demand_days on conflict do nothing;

-- Hours in which the subject existed and was observed, and those from its first appearance in the window to the
-- window's end; 0: not computed yet.
alter table recommendations add column observed_hours int not null default 0, add column lifetime_hours int not null default 0;
---- create above / drop below ----
alter table recommendations drop column observed_hours, drop column lifetime_hours;
alter table demand_days drop column held_hours;
