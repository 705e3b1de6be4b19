-- Nodes that lost a device to another one for an hour, and places in which
-- stored samples are about to have it no more.
create temp table device_clashes on commit drop as
select cluster, device, hour, least(node, stored_node) as lost_node, stored_node, stored_index, node <> stored_node as clash
from sample_matches
where node <> stored_node or displaced
union all
select n.cluster, n.device, n.hour, n.node, n.node, n.device_index, true
from next_samples n
join (select cluster, device, hour, max(node) as node from next_samples group by cluster, device, hour having min(node) <> max(node)) k
  on k.cluster = n.cluster and k.device = n.device and k.hour = n.hour and k.node <> n.node
