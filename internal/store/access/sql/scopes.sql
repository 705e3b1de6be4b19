-- Scopes with their conditions, members and shape, and the rights that follow from them.

-- name: access.bi_views
-- SQL views, and the views they are built from, that role $1 does not own yet. The rest need no lock.
select n.nspname::text as schema, c.relname::text as name
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'v' and n.nspname in ('bi_base', 'bi_v1')
  and pg_get_userbyid(c.relowner) <> case when $1 = 'current_user' then current_user else $1 end
order by 1, 2

-- name: access.bounded_scopes
-- Scopes with conditions; only $2 unless it is null. Locked, so that two refreshes run one after the other.
select scope_id, conditions, digest from scopes
where tenant_id = $1 and not everything and ($2::uuid is null or scope_id = $2)
order by scope_id
for update

-- name: access.clear_clusters
delete from scope_clusters where tenant_id = $1 and scope_id = $2

-- name: access.clear_owners
delete from scope_owners where tenant_id = $1 and scope_id = $2

-- name: access.clear_teams
delete from scope_teams where tenant_id = $1 and scope_id = $2

-- name: access.clusters
-- Clusters that any row names.
select cluster from (
  select cluster from nodes where tenant_id = $1
  union select cluster from runs where tenant_id = $1
  union select cluster from workloads where tenant_id = $1
) c
where cluster <> ''
order by cluster

-- name: access.conditions
select conditions from scopes where tenant_id = $1 and scope_id = $2

-- name: access.drop_scope
delete from scopes where tenant_id = $1 and scope_id = $2

-- name: access.held_by
-- A user's grant, found by the name as typed, otherwise by its stored form. Locked, so that changes of a user run one
-- after the other.
select u.user_id as id, u.name, u.role, u.scope_id as scope, coalesce(s.conditions, '{}') as conditions,
  u.disabled_at is not null as disabled,
  coalesce(u.issuer, '') as issuer, u.password is not null as password
from users u
left join scopes s on s.tenant_id = u.tenant_id and s.scope_id = u.scope_id
where u.tenant_id = $1 and u.name in ($2, $3)
order by u.name = $2 desc limit 1
for update of u

-- name: access.login_scope
select s.everything, s.conditions as scope
from scope_logins l
join scopes s on s.tenant_id = l.tenant_id and s.scope_id = l.scope_id
where l.tenant_id = $1 and l.login = $2

-- name: access.make_reader
-- The role that rows are read as. It cannot sign in, owns no table, and does not bypass policies. The migrating login
-- may become it: the creator of a role may grant the role, and since PostgreSQL 16 must grant it to itself before it
-- can become it.
do $$
begin
  if not exists (select from pg_roles where rolname = '@reader') then
    create role @reader nologin;
    execute format('grant @reader to %I', current_user);
  elsif not pg_has_role(current_user, '@reader', 'member') then
    execute format('grant @reader to %I', current_user);
  end if;
end $$

-- name: access.owners
select owner_id, coalesce(business_unit, '') as business_unit, coalesce(team, '') as team,
  coalesce(project, '') as project,
  coalesce(environment, '') as environment
from owners where tenant_id = $1 and owner_id <> '00000000-0000-0000-0000-000000000000'
order by owner_id

-- name: access.put_clusters
insert into scope_clusters (tenant_id, scope_id, cluster)
select $1, $2, m.cluster from unnest($3::text[]) m (cluster)

-- name: access.put_owners
insert into scope_owners (tenant_id, scope_id, owner_id, cluster)
select $1, $2, m.owner_id, m.cluster from unnest($3::uuid[], $4::text[]) m (owner_id, cluster)

-- name: access.put_scope
insert into scopes (tenant_id, scope_id, conditions, everything) values ($1, $2, $3, $4)

-- name: access.put_shape
-- The current state of a scope: the digest of its members, and the shape that queries need.
update scopes set digest = $3, whole_teams = $4, anywhere = $5, teams = $6 where tenant_id = $1 and scope_id = $2

-- name: access.put_teams
insert into scope_teams (tenant_id, scope_id, team, cluster)
select $1, $2, m.team, m.cluster from unnest($3::text[], $4::text[]) m (team, cluster)

-- name: access.relations
-- Our tables and views that rows are read from, $1 being those of schema public. Partitions are left out: they are read
-- through their parent.
select n.nspname::text as schema, c.relname::text as name, c.relkind::text as kind
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v') and not c.relispartition
  and (n.nspname = 'star' or n.nspname = 'public' and c.relname = any($1))
order by 1, 2

-- name: access.rights_done
-- Whether the rights are those of $1 for role $2, including tables and views created since.
select coalesce(obj_description('public.scopes'::regclass, 'pg_class') = $1, false)
  and exists (select from pg_roles where rolname = $2 and pg_has_role(current_user, oid, 'member'))
  and not exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'star' and c.relkind in ('r', 'p')
      and (not c.relrowsecurity or not has_table_privilege($2::text, c.oid, 'select'))
       or n.nspname in ('bi_v1', 'bi_base') and c.relkind = 'v' and (pg_get_userbyid(c.relowner) = $2) <> exists (
      select from scope_logins l join scopes s on s.tenant_id = l.tenant_id and s.scope_id = l.scope_id
      where l.tenant_id = $3 and not s.everything))

-- name: access.scoped_logins
-- Whether a database login has a scope with conditions.
select exists (
  select from scope_logins l join scopes s on s.tenant_id = l.tenant_id and s.scope_id = l.scope_id
  where l.tenant_id = $1 and not s.everything)

-- name: access.seen_as
-- Ends all views as user $2; returns the admins who had one.
update sessions s set as_user_id = null
from users u
where s.tenant_id = $1 and s.as_user_id = $2 and u.tenant_id = s.tenant_id and u.user_id = s.user_id
returning u.name

-- name: access.who_has
-- The user who signed in with the session, even while it sees as another.
select u.user_id, u.name, coalesce(u.password, '') as hash, coalesce(u.issuer, '') as issuer
from sessions s
join users u on u.tenant_id = s.tenant_id and u.user_id = s.user_id and u.disabled_at is null
where s.tenant_id = $1 and s.digest = $2
