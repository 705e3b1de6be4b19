-- Sums of report.spot_rows for report.spot: known_cost and known are the cost and
-- the capacity that on_demand is of.
select p.node_id, p.owner_id, p.workload_id, p.run_id, p.attempt_id, p.state, p.currency, p.hour, p.spent, p.destroyed,
       sum(p.effective_cost) as effective_cost, sum(p.capacity_gpu_hours) as capacity,
       sum(p.on_demand) as on_demand,
       sum(p.effective_cost) filter (where p.on_demand is not null) as known_cost,
       sum(p.capacity_gpu_hours) filter (where p.on_demand is not null) as known,
       sum(p.effective_cost) filter (where p.on_demand is null) as unknown_cost
from (
@spot_rows
) p
group by p.node_id, p.owner_id, p.workload_id, p.run_id, p.attempt_id, p.state, p.currency, p.hour, p.spent, p.destroyed
