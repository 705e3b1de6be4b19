declare versions no scroll cursor for
select c.n, n.vectors
from sample_conflicts c join next_samples n on n.cluster = c.cluster and n.device = c.device and n.hour = c.hour and n.slice_id = c.slice_id and n.profile = c.profile
union all
select c.n, s.vectors
from sample_conflicts c join sample_hours s on s.tenant_id = c.tenant_id and s.cluster = c.cluster and s.device = c.device and s.hour = c.hour and s.slice_id = c.slice_id and s.profile = c.profile
order by 1
