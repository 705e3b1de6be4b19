-- Pages add up a year of findings: which row of a finding has its hours is
-- written down and not found by sorting them all.
set local lock_timeout = '5s';

alter table finding_costs add column leads boolean not null default true; -- of the finding's currencies the first by name
update finding_costs c set leads = false
where exists (select from finding_costs o where o.tenant_id = c.tenant_id and o.finding_id = c.finding_id and o.currency < c.currency);
---- create above / drop below ----
alter table finding_costs drop column leads;
