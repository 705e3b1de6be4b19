-- $9 is the session of the provider that it began with, where it says so.
with gone as (delete from sessions where tenant_id = $1 and expires_at <= $5),
seen as (update users set seen_at = $5 where tenant_id = $1 and user_id = $4)
insert into sessions (tenant_id, digest, session_id, user_id, created_at, seen_at, expires_at, address, agent, provider_session)
values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9)
