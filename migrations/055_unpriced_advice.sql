-- What nothing prices has no money: it is not 0.
set local lock_timeout = '5s';

alter table recommendations alter column effective_cost drop not null, alter column saving drop not null;
update recommendations set effective_cost = null, saving = null, saving_per_month = null where currency = '';
update recommendation_states s set cost_before = null
from recommendations r
where r.tenant_id = s.tenant_id and r.recommendation_id = s.recommendation_id and r.currency = '';
---- create above / drop below ----
update recommendations set effective_cost = 0, saving = 0 where currency = '';
alter table recommendations alter column effective_cost set not null, alter column saving set not null;
