-- Budgets in versions: the newest of a budget_id counts. budget_id is a hash of the name.
set local lock_timeout = '5s';

create table budgets (
  tenant_id int not null references tenants,
  budget_id uuid not null,
  version int not null,
  name text not null,
  key text not null,                       -- a group key, or all
  value text not null,                     -- '' for all
  period text not null check (period in ('month', 'quarter', 'year', 'life')),
  starts timestamptz,                      -- null only for a life
  ends timestamptz,                        -- exclusive; null for a life
  amount numeric not null check (amount > 0),
  unit text not null check (unit in ('money', 'gpu_hours', 'tokens')),
  currency text,                           -- of money only
  parent text,                             -- name of the budget that it is a part of
  changed_at timestamptz not null default now(),
  changed_by text not null,
  reason text not null default '',
  import_id uuid,
  primary key (tenant_id, budget_id, version),
  check ((unit = 'money') = (currency is not null)),
  check (period = 'life' or starts is not null)
);

-- Budgets of owners in scope: all owners with that value are in scope, in every cluster; or of a cluster in scope.
create function budgets_in_scope() returns setof uuid
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
---- create above / drop below ----
drop function budgets_in_scope() cascade; -- the policy that calls it is created again
drop table budgets;
