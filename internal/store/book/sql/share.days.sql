-- Days that have chunks or that sharing has read: the fingerprint of what is
-- stored now, NULL where nothing is, and of what was read, NULL where nothing was.
select coalesce(k.day, d.day), k.fingerprint || closed.fingerprint, d.fingerprint
from (
  select c.day, md5(string_agg(c.node_id::text || encode(c.digest, 'hex') || coalesce(n.cluster, ''), '/' order by c.node_id)) as fingerprint
  from chunks c left join nodes n on n.tenant_id = c.tenant_id and n.node_id = c.node_id
  where c.tenant_id = $1 and (c.usage_rows + c.posting_rows > 0
    or exists (select from frozen_hours f where f.tenant_id = c.tenant_id and f.node_id = c.node_id and f.hour >= c.day and f.hour < c.day + interval '1 day'))
  group by c.day
) k
full join (select day, fingerprint from share_days where tenant_id = $1) d on d.day = k.day
cross join (
  select coalesce(md5(string_agg(concat_ws('/', calendar, name, billing_account, state), ',' order by calendar, name, billing_account)), '') as fingerprint
  from period_states where tenant_id = $1
) closed
order by 1
