-- What explain needs of the node-hours of closed periods, so that it outlives
-- samples, workloads and attempts (docs/rules.md 13.3).
set local lock_timeout = '5s';

create table hour_evidence (
  tenant_id int not null, node_id uuid not null, hour timestamptz not null,
  document bytea not null,                    -- metrics.NodeEvidence as JSON, gzip
  digest bytea not null,                      -- SHA-256 of that JSON
  primary key (tenant_id, hour, node_id)
) partition by range (hour);
alter table hour_evidence alter column document set storage external;
create trigger final_rows after update or delete on hour_evidence for each row execute function refuse_final();
create trigger kept before truncate on hour_evidence for each statement execute function refuse_truncate();
---- create above / drop below ----
drop table hour_evidence;
