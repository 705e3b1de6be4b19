select s.share_id, s.hour, s.kind, s.owner_id, s.from_owner, s.state
from shares s
where s.tenant_id = $1 and s.hour >= $2 and s.hour < $3
  and (not exists (select from owners o where o.tenant_id = $1 and o.owner_id = s.owner_id)
    or s.from_owner is not null and not exists (select from owners o where o.tenant_id = $1 and o.owner_id = s.from_owner)
    or s.kind not in ('shared_in', 'shared_out') or s.state not in ('provisional', 'open', 'final'))
limit 5
