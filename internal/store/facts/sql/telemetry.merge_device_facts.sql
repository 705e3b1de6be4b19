with said as (
  select cluster, node, device, max(device_index) as device_index, max(model) as model, bool_or(in_mig) as in_mig, bool_or(registered) as registered,
    min(first_at) as first_at, max(last_at) as last_at
  from next_devices
  group by cluster, node, device
), old as ( -- as it was before this statement
  select f.*
  from said s join device_facts f on f.tenant_id = $1 and f.cluster = s.cluster and f.node = s.node and f.device = s.device
), merged as (
  insert into device_facts as f (tenant_id, cluster, node, device, device_index, model, in_mig, registered, first_at, last_at)
  select $1, * from said
  on conflict (tenant_id, cluster, node, device) do update
  set device_index = greatest(f.device_index, excluded.device_index), model = greatest(f.model, excluded.model),
    in_mig = f.in_mig or excluded.in_mig, registered = f.registered or excluded.registered,
    first_at = least(f.first_at, excluded.first_at), last_at = greatest(f.last_at, excluded.last_at)
  where (f.device_index, f.model, f.in_mig, f.registered, f.first_at, f.last_at) is distinct from
    (greatest(f.device_index, excluded.device_index), greatest(f.model, excluded.model), f.in_mig or excluded.in_mig, f.registered or excluded.registered,
     least(f.first_at, excluded.first_at), greatest(f.last_at, excluded.last_at))
  returning *
), moved as ( -- that a card was there a while longer moves no slot
  select distinct m.cluster, m.node
  from merged m
  left join old o using (cluster, node, device)
  where (m.device_index, m.model, m.in_mig, m.registered) is distinct from (o.device_index, o.model, o.in_mig, o.registered)
)
insert into touched
select n.node_id, n.appeared_at, n.gone_at, 'devices'
from moved m join nodes n on n.tenant_id = $1 and n.cluster = m.cluster and n.name = m.node
