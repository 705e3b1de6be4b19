-- Summaries by hour: a page of samples begins with the first hours, and devices are
-- made day by day. Without, both read all that there is, or a month of it.
set local lock_timeout = '5s';

create index sample_summaries_hour on sample_summaries (tenant_id, hour);
---- create above / drop below ----
drop index sample_summaries_hour;
