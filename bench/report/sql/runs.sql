-- What runs add up to by day is what their roll-up by day says.
insert into run_days (tenant_id, day, run_id, cause, quality, state, currency, effective_cost, effective_abs, billed_cost, list_cost, contracted_cost, on_demand, unpriced, fees, gpu_hours, active_gpu_hours, energy_kwh)
select d.tenant_id, d.day, g.run, g.cause, 'measured', g.state, g.currency, d.effective_cost, abs(d.effective_cost), d.billed_cost, d.list_cost, d.contracted_cost, d.list_cost, false, false, d.gpu_hours, d.active_gpu_hours, d.energy_kwh
from rollup_days d
join rollup_groups g on g.tenant_id = d.tenant_id and g.grain = d.grain and g.group_id = d.group_id
where g.run is not null
