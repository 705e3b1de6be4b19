-- Exchange rates of the policy versions that hold, for readers of a part, who may not read those versions.
set local lock_timeout = '5s';

create view rate_words as
select e.tenant_id, e.version, e.from_currency, e.to_currency, e.day, e.rate, v.created_at
from exchange_rates e
join policy_versions v on v.tenant_id = e.tenant_id and v.version = e.version
where v.withdrawn_at is null;
---- create above / drop below ----
drop view rate_words;
