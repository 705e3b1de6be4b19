-- Facts by owner and quality, for report.owner_coverage.
select p.owner_id, p.node_id, p.cause, p.quality, p.state, p.currency, p.billing_period, sum(p.effective_cost) as effective_cost
from (@facts) p
where p.effective_cost is not null
group by 1, 2, 3, 4, 5, 6, 7
