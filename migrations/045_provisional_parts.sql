-- Hours that no bill has are few among all parts and asked for on every
-- overview: at which prices they stand.
set local lock_timeout = '5s';

create index parts_provisional on parts (tenant_id, hour) where kind = 'provisional';
---- create above / drop below ----
drop index parts_provisional;
