-- Whose measured losses on spot a saving rests on (docs/figures.md, 19.6): team, fleet
-- or none; null of other advice.
set local lock_timeout = '5s';
alter table recommendations add column basis text;
---- create above / drop below ----
alter table recommendations drop column basis;
