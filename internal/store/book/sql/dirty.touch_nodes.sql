with o as (select * from nodes where tenant_id = $1),
changed as (
  select coalesce(o.node_id, n.node_id) as node_id,
    o.appeared_at as old_from, o.gone_at as old_to, n.appeared_at as new_from, n.gone_at as new_to,
    o.dark_days as old_dark, n.dark_days as new_dark,
    coalesce(to_jsonb(o) - array['gone_at', 'dark_days'] = to_jsonb(n) - array['gone_at', 'dark_days'], false) as only_when
  from o full join next_nodes n on n.node_id = o.node_id
  where row(o.*) is distinct from row(n.*)
)
insert into touched
select node_id, least(old_to, new_to), greatest(old_to, new_to), 'node life' from changed where only_when
union all
select c.node_id, lower(d.days), upper(d.days), 'node life'
from changed c cross join lateral unnest((c.old_dark + c.new_dark) - (c.old_dark * c.new_dark)) d (days)
where c.only_when
union all
select node_id, old_from, old_to, 'node' from changed where not only_when
union all
select node_id, new_from, new_to, 'node' from changed where not only_when
union all
select c.node_id, k.day, k.day + interval '1 day', 'node'
from changed c join chunks k on k.tenant_id = $1 and k.node_id = c.node_id where not only_when
union all
select c.node_id, p.hour, p.hour + interval '1 hour', 'node'
from changed c join parts p on p.tenant_id = $1 and p.node_id = c.node_id where not only_when
