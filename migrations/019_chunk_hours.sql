-- What each hour of a chunk holds, so that hours that stay the same are not
-- written again: a sum per table and hour, for the digest that it begins with.
-- Null, or of another digest: not known. Out of line: who lists chunks needs none of it.
set local lock_timeout = '5s';

alter table chunks add column hours bytea;
alter table chunks alter column hours set storage external;
alter table chunks set (toast_tuple_target = 256);
---- create above / drop below ----
alter table chunks reset (toast_tuple_target);
alter table chunks drop column hours;
