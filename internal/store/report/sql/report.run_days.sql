-- report.run_facts of days or months that were added up.
select q.at as day, q.run_id, q.attempt_id, q.cause, q.quality, q.state, q.currency, q.pricing,
       q.at >= @asked_from and q.at < @asked_to as in_window,
       q.effective_cost, q.effective_abs, q.billed_cost, q.list_cost, q.contracted_cost, q.on_demand, q.unpriced, q.fees,
       q.spot_saving, q.spot_known_hours, q.spot_unknown_cost,
       q.gpu_hours, q.active_gpu_hours, q.energy_kwh
from @run_table q
where q.tenant_id = @tenant and q.at >= @from and q.at < @to @of_runs
