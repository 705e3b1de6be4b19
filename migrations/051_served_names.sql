-- Served names join their models; a quantisation suffix is a version of the model.
set local lock_timeout = '5s';

alter table serving_hours add column model_version text not null default '';  -- what the served name says
alter table serving_hours drop constraint serving_hours_pkey,
  add primary key (tenant_id, hour, workload_id, model, server, served_tenant, currency, state, model_version);
alter table serving_days add column model_version text not null default '';

-- Which names servers counted on a UTC day, and the models that they joined
-- (docs/figures.md 16.11).
create table served_names (
  tenant_id int not null, day timestamptz not null,
  served_name text not null, model text not null, model_version text not null,
  joined_by text not null check (joined_by in ('policy', 'same', 'rule', 'unknown', 'ambiguous')),
  among text[] not null,                         -- the models of an ambiguous name
  primary key (tenant_id, day, served_name, model, joined_by)
);

insert into analysis_days (tenant_id, step, day)
select distinct tenant_id, 'serving', hour from serving_days
on conflict do nothing;
---- create above / drop below ----
drop table served_names;
insert into analysis_days (tenant_id, step, day)
select distinct tenant_id, 'serving', hour from serving_days
on conflict do nothing;
delete from serving_hours;
alter table serving_hours drop column model_version,
  add primary key (tenant_id, hour, workload_id, model, server, served_tenant, currency, state);
delete from serving_days;
alter table serving_days drop column model_version;
