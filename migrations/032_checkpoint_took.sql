-- How long writing a checkpoint took, in milliseconds; 0 unknown. The version
-- before goes on writing without it.
set local lock_timeout = '5s';

alter table checkpoint_facts add column took bigint not null default 0;

---- create above / drop below ----

alter table checkpoint_facts drop column took;
