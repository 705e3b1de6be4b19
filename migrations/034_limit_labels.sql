-- Texts of labels that limit cost, with the budgets that follow from them (docs/figures.md 26.6): derived from
-- workloads, runs and machines, and replaced with them.
set local lock_timeout = '5s';

create table limit_labels (
  tenant_id int not null references tenants,
  budget_id uuid not null,                 -- of key and value; else of the text
  version int not null,                    -- from 1; 0: it limits nothing
  label text not null, standing text not null,
  name text not null, key text not null, value text not null,   -- of the budget; '' if it limits nothing
  text text not null, amount numeric,
  others text not null,                    -- amounts that other workloads name at the same time
  cluster text not null, workload text not null, workloads int not null,
  first_seen timestamptz, last_seen timestamptz,
  primary key (tenant_id, budget_id, version)
);

-- Budgets of owners in scope, of people and of labels.
create or replace function budgets_in_scope() returns setof uuid
language plpgsql stable security definer parallel safe set search_path = public, pg_temp as $$
declare s scopes := session_scope();
begin
  return query
    select b.budget_id
    from (
      select p.tenant_id, p.budget_id, p.key, p.value from budgets p
      union all
      select l.tenant_id, l.budget_id, l.key, l.value from limit_labels l
    ) b
    join owners o on o.tenant_id = b.tenant_id and b.value = case b.key
        when 'business_unit' then o.business_unit when 'team' then o.team when 'project' then o.project
        when 'model' then o.model when 'model_version' then o.model_version when 'stage' then o.stage
        when 'environment' then o.environment when 'cost_center' then o.cost_center
        when 'experiment' then o.experiment when 'dataset' then o.dataset end
    where b.tenant_id = s.tenant_id
    group by b.budget_id
    having bool_and(o.owner_id in (select i.owner_id from owners_in_scope() i where i.cluster is null));
end $$;
---- create above / drop below ----
drop table limit_labels;
create or replace function budgets_in_scope() returns setof uuid
language plpgsql stable security definer parallel safe set search_path = public, pg_temp as $$
declare s scopes := session_scope();
begin
  return query
    select b.budget_id
    from budgets b
    join owners o on o.tenant_id = b.tenant_id and b.value = case b.key
        when 'business_unit' then o.business_unit when 'team' then o.team when 'project' then o.project
        when 'model' then o.model when 'model_version' then o.model_version when 'stage' then o.stage
        when 'environment' then o.environment when 'cost_center' then o.cost_center
        when 'experiment' then o.experiment when 'dataset' then o.dataset end
    where b.tenant_id = s.tenant_id
    group by b.budget_id
    having bool_and(o.owner_id in (select i.owner_id from owners_in_scope() i where i.cluster is null));
end $$;
