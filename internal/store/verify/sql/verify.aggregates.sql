select d.delivery_id, a.charge_id, a.lines, a.line_ranges
from charge_aggregates a
join deliveries d on d.tenant_id = a.tenant_id and d.number = a.delivery
join charge_scopes s on s.tenant_id = a.tenant_id and s.delivery = a.delivery and s.scope = a.scope
where a.tenant_id = $1 and ($2::text is null or s.billing_period = $2)
  and (a.lines <> (select sum(a.line_ranges[n + 1] - a.line_ranges[n] + 1) from generate_series(1, cardinality(a.line_ranges), 2) n)
    or exists (select from generate_series(1, cardinality(a.line_ranges), 2) n
      where a.line_ranges[n] > a.line_ranges[n + 1] or n > 1 and a.line_ranges[n] <= a.line_ranges[n - 1])
    or length(a.digest) <> 32)
limit 5
