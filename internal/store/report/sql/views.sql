-- The views of bi_v1, and the roll-ups of days and months that may answer.

-- name: report.may_lose_share
-- The share of an attempt's time whose work may be lost, for attempts a (docs/rules.md, 6.10).
coalesce(extract(epoch from a.ended_at - a.may_lose_from) / nullif(extract(epoch from a.ended_at - a.started_at), 0), 0)

-- name: report.view_base
-- Views of the ledger in schema bi_base, for the views of bi_v1. The views in public use the rights of the caller;
-- these use the rights of their owner, the role to which policies apply if access control is set up (store/access).
do $$
declare v text;
begin
  foreach v in array array['charge_lines', 'charges', 'posted_rates', 'pod_splits', 'run_splits', 'postings'] loop
    perform set_config('search_path', 'public', true);
    v := format('create view bi_base.%I as %s', v, pg_get_viewdef(('public.' || v)::regclass));
    perform set_config('search_path', 'bi_base, public', true);
    execute v;
  end loop;
end $$

-- name: report.view_clear
-- Drops the views of bi_v1. Objects elsewhere that depend on them must be dropped by their owner first.
do $$
declare v record;
begin
  create schema if not exists bi_v1;
  create schema if not exists bi_base;
  for v in select viewname from pg_views where schemaname = 'bi_v1' loop
    execute format('drop view bi_v1.%I', v.viewname);
  end loop;
  for v in select viewname from pg_views where schemaname = 'bi_base' order by viewname = 'pod_splits',
  viewname = 'charge_lines' loop
    execute format('drop view bi_base.%I', v.viewname);
  end loop;
end $$

-- name: report.view_digest
-- The definitions that the views of bi_v1 were built from; NULL if there are none.
select (select obj_description(oid, 'pg_namespace') from pg_namespace where nspname = 'bi_v1')

-- name: rollup.clean
-- The days from $2 to $3 whose roll-ups are as new as the ledger, and whether their months are rolled up.
select r.day, exists (
    select from rolled_months m where m.tenant_id = $1 and m.month = date_trunc('month', r.day, 'UTC')) as in_month
from rolled_days r
where r.tenant_id = $1 and r.day >= $2 and r.day < $3
  and r.day not in (
    select day from stale_days where tenant_id = $1 and what in ('ledger', 'counters')
    union all select day from analysis_days where tenant_id = $1 and step = 'costs'
    union all select day from dirty where tenant_id = $1)
order by r.day

-- name: rollup.scope
-- The scope of the session's user: whether it is whole teams, whether it is without a cluster, and which teams its
-- owners have.
select coalesce(s.whole_teams, false) as whole_teams, coalesce(s.anywhere, false) as anywhere, s.teams
from (values ($1::int)) t (tenant_id) left join session_scope() s on s.tenant_id = t.tenant_id

-- name: rollup.stored
-- When the stored ledger begins and ends; NULL if it is empty.
select s.first, s.last + interval '1 hour' as "end" from stored_hours s where s.tenant_id = $1
