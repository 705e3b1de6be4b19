insert into dirty (tenant_id, node_id, day, mark_id, reason)
select $1::int, k.node_id, k.day, $2::bigint, 'price of hours without a bill'
from chunks k
join nodes n on n.tenant_id = k.tenant_id and n.node_id = k.node_id
left join coverage c on c.tenant_id = n.tenant_id and c.account = n.account
where k.tenant_id = $1 and k.day + interval '1 day' > coalesce(c.covered_until, '-infinity')
order by k.node_id, k.day
