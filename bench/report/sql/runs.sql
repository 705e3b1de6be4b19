-- What runs add up to by day is what their roll-up by day says.
insert into star.run_days (tenant_id, at, run_id, cause, quality, state, currency, effective_cost, effective_abs, billed_cost, list_cost, contracted_cost, on_demand, unpriced, fees, gpu_hours, active_gpu_hours, energy_kwh)
select tenant_id, at, run, cause, 'measured', state, currency, effective_cost, abs(effective_cost), billed_cost, list_cost, contracted_cost, list_cost, false, false, gpu_hours, active_gpu_hours, energy_kwh
from star.cost_run_days
where run is not null
