-- report.run_facts of days that were added up.
select q.day, q.run_id, q.attempt_id, q.cause, q.quality, q.state, q.currency, q.pricing,
       q.day >= @asked_from and q.day < @asked_to as in_window,
       q.effective_cost, q.effective_abs, q.billed_cost, q.list_cost, q.contracted_cost, q.on_demand, q.unpriced, q.fees,
       q.spot_saving, q.spot_known_hours, q.spot_unknown_cost,
       q.gpu_hours, q.active_gpu_hours, q.energy_kwh
from run_days q
where q.tenant_id = @tenant and q.day >= @from and q.day < @to @of_runs
