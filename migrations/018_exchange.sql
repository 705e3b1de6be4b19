-- Exchange rates of policy documents. Reports convert with them; no posting
-- depends on them. Rows stay when their version is withdrawn: the version says
-- whether they hold.
set local lock_timeout = '5s';

create table exchange_rates (
  tenant_id int not null,
  version text not null,
  from_currency text not null, to_currency text not null,
  day date not null,                          -- UTC; holds until the next day of the pair
  rate numeric not null check (rate > 0),     -- units of to_currency for one of from_currency
  source text not null,                       -- who published it
  primary key (tenant_id, version, from_currency, to_currency, day),
  foreign key (tenant_id, version) references policy_versions (tenant_id, version)
);

-- Documents that say nothing but rates are no versions of the rules, so any
-- number of them hold at once.
alter table policy_versions add column only_rates boolean not null default false;
drop index policy_versions_from;
create unique index policy_versions_from on policy_versions (tenant_id, valid_from) where withdrawn_at is null and not only_rates;
---- create above / drop below ----
drop index policy_versions_from;
delete from exchange_rates;
delete from policy_versions where only_rates;
alter table policy_versions drop column only_rates;
create unique index policy_versions_from on policy_versions (tenant_id, valid_from) where withdrawn_at is null;
drop table exchange_rates;
