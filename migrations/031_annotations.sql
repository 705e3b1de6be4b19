-- Annotations: events from people and pipelines, for time axes. annotation_id is a hash of the content.
set local lock_timeout = '5s';

create table annotations (
  tenant_id int not null references tenants,
  annotation_id uuid not null,
  at timestamptz not null,
  until timestamptz,                       -- exclusive; null: at one instant
  kind text not null,
  key text not null,                       -- a group key; '' or all: the whole fleet
  value text not null,
  text text not null,
  source text not null,
  link text not null,
  stored_at timestamptz not null default now(),
  stored_by text not null,
  import_id uuid,
  primary key (tenant_id, annotation_id),
  check (until >= at)
);

-- Keys and values of annotations whose owners are all in scope, in every cluster.
create function annotations_in_scope() returns table (key text, value text)
language plpgsql stable security definer parallel safe rows 100 set search_path = public, pg_temp as $$
declare s scopes := session_scope();
begin
  return query
    select k.key, k.value
    from owners o
    cross join lateral (values ('business_unit', o.business_unit), ('team', o.team), ('project', o.project),
      ('model', o.model), ('model_version', o.model_version), ('stage', o.stage), ('environment', o.environment),
      ('cost_center', o.cost_center), ('experiment', o.experiment), ('dataset', o.dataset)) k (key, value)
    where o.tenant_id = s.tenant_id
      and (k.key, k.value) in (select a.key, a.value from annotations a where a.tenant_id = s.tenant_id)
    group by k.key, k.value
    having bool_and(o.owner_id in (select i.owner_id from owners_in_scope() i where i.cluster is null));
end $$;
---- create above / drop below ----
drop function annotations_in_scope() cascade; -- the policy that calls it is created again
drop table annotations;
