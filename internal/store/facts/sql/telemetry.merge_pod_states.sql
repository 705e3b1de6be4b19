with merged as (
  insert into pod_state_hours as h (tenant_id, cluster, uid, hour, minutes)
  select $1, cluster, uid, hour, bit_or(minutes)
  from next_pod_states
  group by cluster, uid, hour
  on conflict (tenant_id, cluster, uid, hour) do update
  set minutes = h.minutes | excluded.minutes
  where h.minutes | excluded.minutes <> h.minutes
  returning cluster, uid, hour
)
insert into touched_names
select distinct p.cluster, p.node, m.hour, 'pod state'
from merged m join workload_facts p on p.tenant_id = $1 and p.cluster = m.cluster and p.uid = m.uid
where p.node <> ''
