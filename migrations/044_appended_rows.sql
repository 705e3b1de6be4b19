-- Rows of append-only exports are told apart by their times of export, not by
-- days: of one day any number of deliveries count, each with the rows that the
-- others lack. What each of them has is kept as hashes of rows by time of export
-- (ingest/bill, Reading), so that the next one can be compared with it.
set local lock_timeout = '5s';

create table delivery_rows (
  tenant_id int not null, delivery_id uuid not null, rows bytea not null,
  primary key (tenant_id, delivery_id)
);
alter table delivery_rows alter column rows set storage external; -- hashes do not compress

drop index deliveries_current;
create unique index deliveries_current on deliveries (tenant_id, source, export, scope, dataset, partition_key) where state = 'current' and kind = 'snapshot';
create index deliveries_appended on deliveries (tenant_id, source, export, scope, dataset, partition_key) where state = 'current' and kind = 'append';
---- create above / drop below ----
drop index deliveries_current, deliveries_appended;
create unique index deliveries_current on deliveries (tenant_id, source, export, scope, dataset, partition_key) where state = 'current';
drop table delivery_rows;
