-- Ends the sessions of role $1 that this login may end, waiting two seconds for each at most: how many there were, and how
-- many ended.
with sessions as materialized (
  select a.pid, pg_has_role(a.usesysid, 'usage') as may from pg_stat_activity a where a.usename = $1
)
select count(*)::int, count(*) filter (where case when may then pg_terminate_backend(pid, 2000) end)::int from sessions
