-- Sums of facts over all time, for report.attempts.
select p.run_id, p.attempt_id, p.cause, p.quality, p.state, p.currency, p.pricing as price_class,
       sum(p.effective_cost) as effective_cost, sum(p.effective_abs) as effective_abs,
       sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost,
       sum(p.spot_saving) as spot_saving, sum(p.spot_known_hours) as spot_known_hours, sum(p.spot_unknown_cost) as spot_unknown_cost,
       sum(p.gpu_hours) as gpu_hours
from (
@run_rows
) p
where p.attempt_id is not null
group by 1, 2, 3, 4, 5, 6, 7
