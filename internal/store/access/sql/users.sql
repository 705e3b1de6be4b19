-- Users and what they sign in with: grants, passwords, links, sessions, tokens, identity providers.

-- name: access.came
-- Marks user $2 as seen if they were away since $4.
update users set seen_at = $3 where tenant_id = $1 and user_id = $2 and (seen_at is null or seen_at <= $4)

-- name: access.cast
-- A demo user: never chose a password, is not signed in by a provider, and is not disabled.
select user_id from users
where tenant_id = $1 and name = $2 and password is null and issuer is null and disabled_at is null
for update

-- name: access.disable_user
update users set disabled_at = $3 where tenant_id = $1 and user_id = $2

-- name: access.drop_failures
delete from sign_in_failures where tenant_id = $1 and name = $2 and address = $3

-- name: access.drop_links
delete from user_links where tenant_id = $1 and user_id = $2

-- name: access.end_own
-- Ends session $3, or if that is null all sessions except $2, of the user of session $2.
with gone as (
  delete from sessions s using sessions own
  where own.tenant_id = $1 and own.digest = $2 and s.tenant_id = own.tenant_id and s.user_id = own.user_id
    and case when $3::uuid is null then s.digest <> $2 else s.session_id = $3 end
  returning s.user_id
)
select u.name, count(*) as sessions from gone join users u on u.tenant_id = $1 and u.user_id = gone.user_id
group by u.name

-- name: access.end_provided
-- Ends sessions of issuer $2 and counts them by user: of its user $3 (null: any), of its session $4 (null: any). If the
-- user is given, a session without a known provider session ends too, because it may be the one.
with gone as (
  delete from sessions s using users u
  where s.tenant_id = $1 and u.tenant_id = s.tenant_id and u.user_id = s.user_id and u.issuer = $2
    and ($3::text is null or u.subject = $3)
    and ($4::bytea is null or s.provider_session = $4 or s.provider_session is null and $3::text is not null)
  returning u.name
)
select name, count(*) as sessions from gone group by name order by name

-- name: access.end_session
-- Returns the session's user and the user it saw as.
with gone as (delete from sessions where tenant_id = $1 and digest = $2 returning user_id, as_user_id)
select u.name, coalesce(o.name, '') as saw_as from gone
join users u on u.tenant_id = $1 and u.user_id = gone.user_id
left join users o on o.tenant_id = $1 and o.user_id = gone.as_user_id

-- name: access.end_sessions
delete from sessions where tenant_id = $1 and user_id = $2

-- name: access.failures
-- Failed sign-ins since $4: of the name from the address, and of all names from the address.
select count(*) filter (where name = $2) as of_name, count(*) as of_address from sign_in_failures
where tenant_id = $1 and address = $3 and at > $4

-- name: access.first_user
-- The first user, and whether no user has a password yet.
select name, not exists (select from users where tenant_id = $1 and password is not null) as waiting
from users where tenant_id = $1 order by created_at, name limit 1

-- name: access.is_provided
select exists (select from users where tenant_id = $1 and user_id = $2 and issuer is not null)

-- name: access.issuer_of_session
select u.issuer
from sessions s
join users u on u.tenant_id = s.tenant_id and u.user_id = s.user_id
where s.tenant_id = $1 and s.digest = $2 and u.issuer is not null

-- name: access.link_user
select u.name from user_links l
join users u on u.tenant_id = l.tenant_id and u.user_id = l.user_id
where l.tenant_id = $1 and l.digest = $2 and l.expires_at > $3 and u.disabled_at is null

-- name: access.lock_failures
-- Sign-ins from one address are counted one after the other.
select pg_advisory_xact_lock(hashtext('sign-in from ' || $1))

-- name: access.open_to_all
-- Rights that PUBLIC has in this database and a BI login must not have: temporary tables, large objects, and advisory
-- locks, which others may wait for or which fill the server's lock table. Also the owner of our tables, who keeps these
-- rights, and whether the database has tables other than ours ($1 in schema public, and the schemas $2), whose programs
-- may need them.
with ours as (select relowner from pg_class where oid = 'public.scopes'::regclass)
select r.what as right, (select pg_get_userbyid(relowner)::text from ours) as keeper, exists (
  select from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    and (n.nspname <> all ($2) or n.nspname = 'public' and c.relname <> all ($1)
      and c.relowner <> all (select relowner from ours))
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
      and d.deptype = 'e')) as shared
from (
  select format('temporary on database %I', current_database()) as what
  where has_database_privilege('public', current_database(), 'temporary')
  union all
  select 'execute on function ' || string_agg(p.oid::regprocedure::text, ', ' order by p.oid)
  from pg_proc p
  where p.pronamespace = 'pg_catalog'::regnamespace and has_function_privilege('public', p.oid, 'execute')
    and (p.proname ~ '^(lo_|pg_(try_)?advisory_)' or p.proname in ('loread', 'lowrite'))
  having count(*) > 0
) r
order by 1 desc

-- name: access.other_admins
-- Whether another user with role $3 signs in here and sees everything: scoped users cannot grant full access.
select exists (
  select from users
  where tenant_id = $1 and user_id <> $2 and role = $3 and disabled_at is null and password is not null
    and scope_id is null)

-- name: access.password
-- By the name as typed, otherwise by its stored form.
select user_id, name, coalesce(password, '') as password from users
where tenant_id = $1 and name in ($2, $3) and disabled_at is null
order by name = $2 desc limit 1

-- name: access.pending_requests
-- Pending sign-ins from address $2.
select count(*) from sign_in_requests where tenant_id = $1 and address = $2 and expires_at > $3

-- name: access.provided_user
-- The user of an identity of issuer $2. Locked, so that two sign-ins of a user run one after the other.
select u.user_id as id, u.name, u.role, u.scope_id as scope, coalesce(s.conditions, '{}') as conditions,
  u.disabled_at is not null as disabled,
  coalesce(u.issuer, '') as issuer, u.password is not null as password
from users u
left join scopes s on s.tenant_id = u.tenant_id and s.scope_id = u.scope_id
where u.tenant_id = $1 and u.issuer = $2 and u.subject = $3
for update of u

-- name: access.proxied
-- The viewer for a request of user $3 of issuer $2 with role $4 and conditions $5, seen since $7. No row if the stored
-- grant differs, the user is disabled, or they were away longer. Session $8 counts if it is theirs and sees as another
-- user under the rules of access.session ($9). Use is stored to the minute.
with own as (
  select u.tenant_id, u.user_id, u.name, u.role, u.seen_at
  from users u
  left join scopes c on c.tenant_id = u.tenant_id and c.scope_id = u.scope_id
  where u.tenant_id = $1 and u.issuer = $2 and u.subject = $3 and u.disabled_at is null
    and u.role = $4 and coalesce(c.conditions, '{}') = $5::text[] and u.seen_at > $7
), seen as (
  update users set seen_at = $6
  where tenant_id = $1 and user_id in (
    select u.user_id from users u
    where u.tenant_id = $1
      and u.user_id in (select user_id from own where seen_at < $6::timestamptz - interval '1 minute')
    for no key update skip locked) -- do not wait for a change of the user
), used as (
  update sessions set seen_at = $6
  where tenant_id = $1 and digest = $8 and user_id in (select user_id from own)
    and expires_at > $6 and seen_at > $7 and seen_at < $6::timestamptz - interval '1 minute'
)
select v.user_id::text as id, v.name, v.role, coalesce(v.scope_id::text, '') as scope,
  coalesce(c.digest, '') as members,
  case when v.user_id <> own.user_id then own.name else '' end as by
from own
left join sessions s on s.tenant_id = own.tenant_id and s.user_id = own.user_id and s.digest = $8 and s.expires_at > $6
  and s.seen_at > $7
left join users o on o.tenant_id = s.tenant_id and o.user_id = s.as_user_id and o.disabled_at is null and own.role = $9
join users v on v.tenant_id = own.tenant_id and v.user_id = coalesce(o.user_id, own.user_id)
left join scopes c on c.tenant_id = v.tenant_id and c.scope_id = v.scope_id

-- name: access.put_failure
-- Failures older than $5 no longer count.
with gone as (delete from sign_in_failures where tenant_id = $1 and at <= $5)
insert into sign_in_failures (tenant_id, name, address, at) values ($1, $2, $3, $4)

-- name: access.put_grant
update users set role = $3, scope_id = $4 where tenant_id = $1 and user_id = $2

-- name: access.put_link
insert into user_links (tenant_id, digest, user_id, expires_at) values ($1, $2, $3, $4)

-- name: access.put_logout
-- Stores that a logout token was used; no row if it was used before. Deletes expired ones.
with gone as (delete from logout_tokens where tenant_id = $1 and expires_at <= $3)
insert into logout_tokens (tenant_id, digest, expires_at) values ($1, $2, $4)
on conflict do nothing

-- name: access.put_password
update users set password = $3 where tenant_id = $1 and user_id = $2

-- name: access.put_provided_user
insert into users (tenant_id, user_id, name, role, scope_id, created_at, issuer, subject)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict do nothing

-- name: access.put_request
-- Deletes expired requests.
with gone as (delete from sign_in_requests where tenant_id = $1 and expires_at <= $7)
insert into sign_in_requests (tenant_id, digest, nonce, verifier, back, address, expires_at)
values ($1, $2, $3, $4, $5, $6, $8)

-- name: access.put_session
-- $9 is the digest of the provider session that it began with, if known.
with gone as (delete from sessions where tenant_id = $1 and expires_at <= $5),
seen as (update users set seen_at = $5 where tenant_id = $1 and user_id = $4)
insert into sessions (tenant_id, digest, session_id, user_id, created_at, seen_at, expires_at, address, agent,
    provider_session)
values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9)

-- name: access.put_token
insert into tokens (tenant_id, token_id, name, role, scope_id, digest, created_at, expires_at, created_by)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: access.put_user
insert into users (tenant_id, user_id, name, role, scope_id, password, created_at) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (tenant_id, name) do nothing

-- name: access.revoke_token
update tokens t set revoked_at = $3 where t.tenant_id = $1 and t.token_id = $2 and t.revoked_at is null
returning t.token_id as id, t.name, t.role,
  coalesce((select s.conditions from scopes s where s.tenant_id = t.tenant_id and s.scope_id = t.scope_id),
    '{}') as conditions,
  t.created_at, t.expires_at, null::timestamptz as revoked_at, t.used_at

-- name: access.see_as
-- Session of an admin (role $4) starts to see as another user, who must be enabled. Returns the admin.
update sessions s set as_user_id = o.user_id
from users u, users o
where s.tenant_id = $1 and s.digest = $2
  and u.tenant_id = s.tenant_id and u.user_id = s.user_id and u.role = $4 and u.disabled_at is null
  and o.tenant_id = s.tenant_id and o.name = $3 and o.user_id <> s.user_id and o.disabled_at is null
returning u.name

-- name: access.see_as_oneself
-- Returns the session's user and the user it saw as.
update sessions s set as_user_id = null
from sessions was
join users u on u.tenant_id = was.tenant_id and u.user_id = was.user_id
join users o on o.tenant_id = was.tenant_id and o.user_id = was.as_user_id
where s.tenant_id = $1 and s.digest = $2 and was.tenant_id = s.tenant_id and was.digest = s.digest
returning u.name as by, o.name as saw_as

-- name: access.session
-- Use is stored to the minute. A session sees as another user only while its own user still has role $5 and both are
-- enabled; otherwise it sees as its own user. Users who never chose a password are demo users, admitted by $6. A
-- session of a proxied user (issuer $7) is not valid here, only with the proxy's headers (access.proxied).
with used as (
  update sessions set seen_at = $3
  where tenant_id = $1 and digest = $2 and expires_at > $3 and seen_at > $4
    and seen_at < $3::timestamptz - interval '1 minute'
  returning user_id
), seen as (
  update users set seen_at = $3
  where tenant_id = $1 and user_id in (
    select u.user_id from users u where u.tenant_id = $1 and u.user_id in (select user_id from used)
    for no key update skip locked) -- do not wait for a change of the user
)
select v.user_id::text as id, v.name, v.role, coalesce(v.scope_id::text, '') as scope,
  coalesce(c.digest, '') as members,
  case when v.user_id <> u.user_id then u.name else '' end as by
from sessions s
join users u on u.tenant_id = s.tenant_id and u.user_id = s.user_id and u.disabled_at is null
  and (u.password is not null or u.issuer is not null or $6)
  and u.issuer is distinct from $7
left join users o on o.tenant_id = s.tenant_id and o.user_id = s.as_user_id and o.disabled_at is null and u.role = $5
join users v on v.tenant_id = s.tenant_id and v.user_id = coalesce(o.user_id, u.user_id)
left join scopes c on c.tenant_id = v.tenant_id and c.scope_id = v.scope_id
where s.tenant_id = $1 and s.digest = $2 and s.expires_at > $3 and s.seen_at > $4

-- name: access.sessions_of
-- Sessions of the user of session $2 that are valid at $3 and were used since $4: this one first, then the newest.
select s.session_id as id, s.created_at as began_at, s.seen_at, s.address, s.agent, coalesce(o.name, '') as sees_as,
  s.digest = $2 as this
from sessions own
join sessions s on s.tenant_id = own.tenant_id and s.user_id = own.user_id
left join users o on o.tenant_id = s.tenant_id and o.user_id = s.as_user_id
where own.tenant_id = $1 and own.digest = $2 and s.expires_at > $3 and s.seen_at > $4
order by s.digest = $2 desc, s.seen_at desc, s.created_at desc, s.session_id

-- name: access.setup_lock
select pg_advisory_xact_lock(hashtext('gpuledger access'))

-- name: access.take_request
delete from sign_in_requests where tenant_id = $1 and digest = $2 and expires_at > $3
returning nonce, verifier, back

-- name: access.token
-- Use is stored to the minute.
with used as (
  update tokens set used_at = $3
  where tenant_id = $1 and digest = $2 and revoked_at is null and (expires_at is null or expires_at > $3)
    and (used_at is null or used_at < $3::timestamptz - interval '1 minute')
)
select t.token_id::text as id, t.name, t.role, coalesce(t.scope_id::text, '') as scope,
  coalesce(c.digest, '') as members, '' as by
from tokens t
left join scopes c on c.tenant_id = t.tenant_id and c.scope_id = t.scope_id
where t.tenant_id = $1 and t.digest = $2 and t.revoked_at is null and (t.expires_at is null or t.expires_at > $3)

-- name: access.token_names
select distinct name from tokens where tenant_id = $1 and revoked_at is null

-- name: access.tokens
select t.token_id as id, t.name, t.role, coalesce(s.conditions, '{}') as conditions, t.created_at, t.expires_at,
  t.revoked_at, t.used_at
from tokens t
left join scopes s on s.tenant_id = t.tenant_id and s.scope_id = t.scope_id
where t.tenant_id = $1
order by t.created_at desc, t.token_id

-- name: access.use_link
delete from user_links where tenant_id = $1 and digest = $2 and expires_at > $3

-- name: access.user_id
-- By the name as typed, otherwise by its stored form.
select user_id, name from users where tenant_id = $1 and name in ($2, $3) order by name = $2 desc limit 1

-- name: access.user_names
select name from users where tenant_id = $1

-- name: access.users
select u.user_id as id, u.name, u.role, coalesce(s.conditions, '{}') as conditions, u.created_at, u.disabled_at,
  u.seen_at, u.password is not null as password, coalesce(u.issuer, '') as issuer
from users u
left join scopes s on s.tenant_id = u.tenant_id and s.scope_id = u.scope_id
where u.tenant_id = $1
order by u.name
