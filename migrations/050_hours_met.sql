-- How much of a finding's interval met its criterion (docs/figures.md 18.1). Null:
-- found before this was told, until its days are looked at again.
set local lock_timeout = '5s';

alter table findings add met_seconds bigint;
---- create above / drop below ----
alter table findings drop met_seconds;
