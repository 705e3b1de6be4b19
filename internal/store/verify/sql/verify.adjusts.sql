select a.posting_id, a.hour, a.node_id, a.adjusts
from postings a
left join postings p on p.tenant_id = a.tenant_id and p.hour = a.hour and p.posting_id = a.adjusts and p.state = 'final'
where a.tenant_id = $1 and a.hour >= $2 and a.hour < $3 and a.adjusts is not null and p.posting_id is null
  and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = coalesce(a.node_id, '00000000-0000-0000-0000-000000000000') and x.day = date_trunc('day', a.hour, 'UTC'))
limit 5
