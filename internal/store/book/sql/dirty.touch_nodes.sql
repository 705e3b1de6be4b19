with o as (select * from nodes where tenant_id = $1),
changed as (
  select coalesce(o.node_id, n.node_id) as node_id,
    o.appeared_at as old_from, o.gone_at as old_to, n.appeared_at as new_from, n.gone_at as new_to,
    coalesce(to_jsonb(o) - 'gone_at' = to_jsonb(n) - 'gone_at', false) as only_end
  from o full join next_nodes n on n.node_id = o.node_id
  where row(o.*) is distinct from row(n.*)
)
insert into touched
select node_id, least(old_to, new_to), greatest(old_to, new_to), 'node life' from changed where only_end
union all
select node_id, old_from, old_to, 'node' from changed where not only_end
union all
select node_id, new_from, new_to, 'node' from changed where not only_end
union all
select c.node_id, k.day, k.day + interval '1 day', 'node'
from changed c join chunks k on k.tenant_id = $1 and k.node_id = c.node_id where not only_end
union all
select c.node_id, p.hour, p.hour + interval '1 hour', 'node'
from changed c join parts p on p.tenant_id = $1 and p.node_id = c.node_id where not only_end
