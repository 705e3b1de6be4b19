-- Requests received while serving and not collected yet.

-- name: inbox.backlog
select count(*) as rows, min(received_at) as oldest from inbox where tenant_id = $1

-- name: inbox.lease_settings
set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3;
set idle_session_timeout = 0

-- name: inbox.lock
select pg_try_advisory_lock($1)

-- name: inbox.put
insert into inbox (tenant_id, receiver, number, kind, sender, received_at, body)
select $1, $2, $3 + n - 1, kind, sender, received_at, body
from unnest($4::text[], $5::text[], $6::timestamptz[], $7::bytea[]) with ordinality as r (kind, sender, received_at,
    body, n)

-- name: inbox.read
select number, kind, sender, '' as cluster, received_at, body
from (
  select *, sum(length(body)) over (order by number) - length(body) as before
  from inbox where tenant_id = $1 and receiver = $2 and number > $3
  order by number limit 500
) as r
where before < 4000000
order by number

-- name: inbox.receivers
select distinct receiver from inbox where tenant_id = $1 and receiver <> $2

-- name: inbox.settle
delete from inbox where tenant_id = $1 and receiver = $2 and number <= $3

-- name: inbox.unlock
select pg_advisory_unlock($1)
