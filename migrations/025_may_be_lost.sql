-- From when on work of an attempt may be lost because its end is unknown (docs/rules.md 6.10); null: its end is known.
set local lock_timeout = '5s';
alter table attempts add column may_lose_from timestamptz;
update attempts a set may_lose_from = coalesce(a.last_checkpoint_at, a.started_at)
from runs r
where r.tenant_id = a.tenant_id and r.run_id = a.run_id and a.outcome = 'unknown' and r.kind in ('training', 'fine_tuning', 'evaluation', 'batch');
---- create above / drop below ----
alter table attempts drop column may_lose_from;
