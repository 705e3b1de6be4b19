-- What machines cost per hour while other pods were on them, without the host's
-- part, which is theirs already where a policy gives them one.
select p.node_id, p.hour, p.currency, max(p.state), sum(p.effective_cost)
from postings p
join (
  select n.node_id, date_trunc('hour', min(h.held_from), 'UTC') as from_hour, max(h.held_to) as to_hour
  from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) h (node_id, held_from, held_to)
  join nodes n on n.tenant_id = $1 and n.node_id = h.node_id
  group by 1
) h on h.node_id = p.node_id and p.hour >= h.from_hour and p.hour < h.to_hour
where p.tenant_id = $1 and p.usage_id is not null and p.cause <> 'host' and p.effective_cost is not null
group by 1, 2, 3
order by 1, 2, 3
