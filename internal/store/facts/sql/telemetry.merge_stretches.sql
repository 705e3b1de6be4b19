-- Of staged rows, whichever of them are kept: what a machine reported is an
-- observation of it even where another machine is believed to have the card.
with staged as (
  select cluster, node, hour, date_trunc('minute', min(first_at), 'UTC') as from_at, max(last_at) as to_at
  from next_samples
  where device not like 'host/%'
  group by cluster, node, hour
), stored as (
  select s.cluster, s.node, s.from_at, s.to_at
  from node_stretches s join (select distinct cluster, node from staged) t using (cluster, node)
  where s.tenant_id = $1
), parts as (
  select cluster, node, from_at, to_at from staged union all select cluster, node, from_at, to_at from stored
), joined as (
  select cluster, node, min(from_at) as from_at, max(to_at) as to_at
  from (
    select *, count(*) filter (where from_at > before + interval '7 days') over (partition by cluster, node order by from_at, to_at) as stretch
    from (
      select *, max(to_at) over (partition by cluster, node order by from_at, to_at rows between unbounded preceding and 1 preceding) as before
      from parts
    ) b
  ) s
  group by cluster, node, stretch
), gone as (
  delete from node_stretches s using stored o
  where s.tenant_id = $1 and s.cluster = o.cluster and s.node = o.node and s.from_at = o.from_at
    and not exists (select from joined j where j.cluster = o.cluster and j.node = o.node and j.from_at = o.from_at)
)
insert into node_stretches as s (tenant_id, cluster, node, from_at, to_at)
select $1, cluster, node, from_at, to_at from joined
on conflict (tenant_id, cluster, node, from_at) do update set to_at = excluded.to_at
where s.to_at <> excluded.to_at
