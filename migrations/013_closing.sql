-- Filled by its owner; the number is kept.
set local lock_timeout = '5s';
---- create above / drop below ----
select 1;
