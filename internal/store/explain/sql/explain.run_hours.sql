-- Node-hours in which a run has usage. Workloads say where to look: usage has
-- no index by run.
select distinct u.node_id, u.hour
from (
  select w.node_id, min(w.hold_from) as first, max(w.hold_to) as last
  from workloads w where w.tenant_id = $1 and w.run_id = $2 and w.node_id is not null
  group by w.node_id
) h
join usage u on u.tenant_id = $1 and u.node_id = h.node_id
  and u.hour > coalesce(h.first, '-infinity') - interval '1 hour' and u.hour < coalesce(h.last, 'infinity')
where u.run_id = $2
order by u.hour, u.node_id
