-- The measured spot losses that a saving is based on (docs/figures.md, 19.6): team, fleet or none; null for other
-- advice.
set local lock_timeout = '5s';
alter table recommendations add column basis text;
---- create above / drop below ----
alter table recommendations drop column basis;
