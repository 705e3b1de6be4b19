-- Sampling times of machines, so that a life has no unobserved gaps.
set local lock_timeout = '5s';

-- Stretches in which a machine's exporter sampled its cards; those at most seven days apart are one (docs/rules.md
-- 2.11). Updated with the samples, so that reading them needs no scan, and kept when samples are dropped.
create table node_stretches (
  tenant_id int not null references tenants,
  cluster text not null, node text not null,
  from_at timestamptz not null,            -- minute of the first sample
  to_at timestamptz not null,              -- second of the last one
  primary key (tenant_id, cluster, node, from_at)
) with (fillfactor = 70);

insert into node_stretches (tenant_id, cluster, node, from_at, to_at)
select tenant_id, cluster, node, date_trunc('minute', min(first_at), 'UTC'), max(last_at)
from (
  select *, count(*) filter (where first_at > before + interval '7 days') over (partition by tenant_id, cluster, node order by hour) as stretch
  from (
    select *, max(last_at) over (partition by tenant_id, cluster, node order by hour rows between unbounded preceding and 1 preceding) as before
    from (
      select tenant_id, cluster, node, hour, min(first_at) as first_at, max(last_at) as last_at
      from sample_hours where device not like 'host/%'
      group by tenant_id, cluster, node, hour
    ) h
  ) b
) s
group by tenant_id, cluster, node, stretch;

-- Whole UTC days between appeared_at and gone_at outside the machine's life (docs/rules.md 2.11).
alter table nodes add column dark_days tstzmultirange not null default '{}';
---- create above / drop below ----
alter table nodes drop column dark_days;
drop table node_stretches;
