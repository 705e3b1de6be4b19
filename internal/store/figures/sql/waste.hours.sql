-- Summaries of a day of the devices, slices and hosts of machines.
select p.cluster, p.node, p.device, p.slice_id, s.hour, s.figures
from unnest($3::text[], $4::text[]) as n (cluster, node)
join sample_places p on p.tenant_id = $1 and p.cluster = n.cluster and p.node = n.node
join sample_summaries s on s.tenant_id = p.tenant_id and s.place_id = p.place_id and s.hour >= $2 and s.hour < $2 + interval '1 day'
order by p.cluster, p.node, s.hour
