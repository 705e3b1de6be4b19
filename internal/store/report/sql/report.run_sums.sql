-- Sums of facts over all time, for datasets of runs. on_demand_cost is
-- unknown where GPU time of the group has no on-demand price; spot_saving is of
-- what has one (docs/figures.md 15.4). A group of fees has shares of
-- prepaid fees alone: what they pay for is in other groups, or on no line.
select m.run_id, m.attempt_id, m.cause, m.quality, m.state, m.currency, m.pricing, m.in_window,
       sum(m.effective_cost) as effective_cost, sum(m.effective_abs) as effective_abs,
       sum(m.billed_cost) as billed_cost, sum(m.list_cost) as list_cost, sum(m.contracted_cost) as contracted_cost,
       sum(m.spot_saving) as spot_saving, sum(m.spot_known_hours) as spot_known_hours, sum(m.spot_unknown_cost) as spot_unknown_cost,
       case when not bool_or(m.unpriced) then sum(m.on_demand) end as on_demand_cost,
       bool_and(m.fees) as fees,
       sum(m.gpu_hours) as gpu_hours, sum(m.active_gpu_hours) as active_gpu_hours, sum(m.energy_kwh) as energy_kwh
from (
@run_rows
) m
group by m.run_id, m.attempt_id, m.cause, m.quality, m.state, m.currency, m.pricing, m.in_window
