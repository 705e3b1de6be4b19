-- Hours of spot machines that have parts on a day, for their on-demand rate.
select p.node_id, p.hour, coalesce(n.account, ''), coalesce(n.instance_type, ''), coalesce(n.region, ''), p.currency,
       coalesce(@provider(n.provider_id), ''),
       bool_and(p.kind = 'compute'),
       case when bool_and(p.list_cost is not null) filter (where p.usage_seconds is not null) then min(p.list_cost) filter (where p.usage_seconds is not null) end,
       case when bool_and(p.list_cost is not null) filter (where p.usage_seconds is not null) then sum(p.list_cost) filter (where p.usage_seconds is not null) end,
       coalesce(sum(p.usage_seconds), 0)::bigint,
       coalesce(bool_or(p.method = 'typical price' or p.method = 'public price' and d.price_class <> 'spot'), false)
from parts p
left join derived_rates d on d.tenant_id = p.tenant_id and d.rate_id = p.rate_id
join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id and n.price_class = 'spot'
where p.tenant_id = $1 and p.hour >= $2 and p.hour < $2::timestamptz + interval '1 day' and p.kind in ('compute', 'provisional') and p.posting_kind = 'direct'
group by p.node_id, p.hour, n.account, n.instance_type, n.region, n.provider_id, p.currency
