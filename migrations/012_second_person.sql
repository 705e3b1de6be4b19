-- Changes of the books that wait until another person confirms them (docs/rules.md 11.5).
set local lock_timeout = '5s';

-- Requests. They never change, and their outcome is written once.
create table changes (
  tenant_id int not null references tenants, change_id uuid not null,
  kind text not null, subject text not null,      -- as the audit log calls them
  asked text not null, digest bytea not null,     -- the exact request as JSON, and its SHA-256
  asked_by text not null, asked_as text not null, -- session, token, operator, command
  asked_id text not null,                         -- of the user or token; empty: none
  behind text[] not null,                         -- people who may be behind that name
  asked_at timestamptz not null, expires_at timestamptz not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'confirmed', 'declined', 'taken back', 'expired', 'outdated')),
  decided_by text, decided_at timestamptz, note text,
  primary key (tenant_id, change_id)
);
create unique index changes_waiting on changes (tenant_id, kind, subject) where state = 'waiting';

create trigger only_added after delete on changes for each row execute function refuse_change();
create trigger only_decided after update on changes for each row
  when (to_jsonb(old) - '{state,decided_by,decided_at,note}'::text[]
    <> to_jsonb(new) - '{state,decided_by,decided_at,note}'::text[] or old.state <> 'waiting')
  execute function refuse_change();
create trigger kept before truncate on changes for each statement execute function refuse_change();

-- The creator of a token cannot confirm its requests. For older tokens, the audit log has the creator.
alter table tokens add column created_by text not null default '';
update tokens t set created_by = a.actor
from audit_log a
where a.tenant_id = t.tenant_id and a.action = 'token created' and a.subject = replace(t.token_id::text, '-', '');
---- create above / drop below ----
alter table tokens drop column created_by;
drop table changes;
