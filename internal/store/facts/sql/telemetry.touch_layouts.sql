with c as (
  select s.cluster, s.node, s.device, min(s.hour) as first_hour, max(s.hour) as last_hour
  from changed_samples s
  join devices d on d.tenant_id = $1 and d.cluster = s.cluster and d.node = s.node and d.device = s.device and d.in_mig
  group by s.cluster, s.node, s.device
), reach as (
  select c.cluster, c.node,
    case when exists (select from sample_hours p where p.tenant_id = $1 and p.cluster = c.cluster and p.device = c.device and p.node = c.node and p.hour < c.first_hour)
      then c.first_hour end as from_at,
    (select min(n.hour) from sample_hours n where n.tenant_id = $1 and n.cluster = c.cluster and n.device = c.device and n.node = c.node and n.hour > c.last_hour) as to_at
  from c
)
insert into touched
select distinct n.node_id, greatest(n.appeared_at, r.from_at), least(n.gone_at, r.to_at), 'layout'
from reach r join nodes n on n.tenant_id = $1 and n.cluster = r.cluster and n.name = r.node
