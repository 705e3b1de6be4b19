insert into share_machines (tenant_id, day, billing_account, currency, commitment, instance_type, region, owner_id, contracted_cost)
select $1, date_trunc('day', p.hour, 'UTC'), coalesce(b.billing_account, ''), p.currency,
  case when l.kind = 'covered_usage' then coalesce(nullif(l.commitment_id, ''), 'unnamed') else '' end,
  coalesce(l.instance_type, ''), coalesce(l.region, ''), p.owner_id, sum(coalesce(p.contracted_cost, p.list_cost))
from parts b
join deliveries d on d.tenant_id = b.tenant_id and d.delivery_id = b.delivery_id
cross join lateral (select * from charge_lines x where x.tenant_id = $1 and x.delivery = d.number and x.charge_id = b.charge_id offset 0) l
join postings p on p.tenant_id = b.tenant_id and p.hour = b.hour and p.part_id = b.part_id
where b.tenant_id = $1 and b.hour >= $3 and b.hour < $4 and date_trunc('day', b.hour, 'UTC') = any($2)
  and b.posting_kind = 'direct' and b.kind = 'compute' and (l.kind = 'covered_usage' or l.kind = 'usage' and l.price_class = 'on_demand')
  and p.workload_id is not null
group by 2, 3, 4, 5, 6, 7, 8
having sum(coalesce(p.contracted_cost, p.list_cost)) is not null
