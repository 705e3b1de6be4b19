-- Machines of a type in a region hour by hour, as far as they were on demand or
-- covered by a commitment (docs/figures.md, 19.4).
select r.provider, r.instance_type, coalesce(r.region, ''), coalesce(r.currency, ''), coalesce(r.instance_family, ''), r.hour, r.use, r.gpus, r.work, max(r.state), sum(r.effective_cost), sum(r.gpu_hours), sum(r.capacity_gpu_hours)
from (
@level_rows
) r
where r.use in ('on_demand', 'covered') and r.instance_type is not null and r.provider is not null and r.gpus is not null
group by 1, 2, 3, 4, 5, 6, 7, 8, 9
order by 1, 2, 3, 4, 5, 6, 7, 8, 9
