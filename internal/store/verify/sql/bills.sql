-- Deliveries: totals, rows, aggregates.

-- name: verify.aggregates
select d.delivery_id, a.charge_id, a.lines, a.line_ranges
from charge_aggregates a
join deliveries d on d.tenant_id = a.tenant_id and d.number = a.delivery
join charge_scopes s on s.tenant_id = a.tenant_id and s.delivery = a.delivery and s.scope = a.scope
where a.tenant_id = $1 and ($2::text is null or s.billing_period = $2)
  and (a.lines <> (select sum(a.line_ranges[n + 1] - a.line_ranges[n] + 1)
      from generate_series(1, cardinality(a.line_ranges), 2) n)
    or exists (select from generate_series(1, cardinality(a.line_ranges), 2) n
      where a.line_ranges[n] > a.line_ranges[n + 1] or n > 1 and a.line_ranges[n] <= a.line_ranges[n - 1])
    or length(a.digest) <> 32)
limit 5

-- name: verify.control_totals
with rows as (
  select d.delivery_id, d.number, c.*
  from deliveries d
  cross join lateral (
    select scope, count(*) as charges, sum(effective) as effective, sum(billed) as billed, sum(list) as list,
      sum(contracted) as contracted,
      sum(exact[1]) as exact_effective, sum(exact[2]) as exact_billed, sum(exact[3]) as exact_list,
      sum(exact[4]) as exact_contracted
    from charge_rows r where r.tenant_id = $1 and r.delivery = d.number
    group by scope offset 0
  ) c
  where d.tenant_id = $1 and d.state = 'current'
), folded as (
  select a.delivery, a.scope, sum(a.lines - 1) as more from charge_aggregates a where a.tenant_id = $1
  group by a.delivery, a.scope
), sums as (
  select r.delivery_id, s.account, s.billing_period, s.currency, sum(r.charges + coalesce(f.more, 0)) as charges,
    coalesce(sum(r.effective) * 0.000000000001 + coalesce(sum(r.exact_effective), 0),
      sum(r.exact_effective)) as effective_cost,
    coalesce(sum(r.billed) * 0.000000000001 + coalesce(sum(r.exact_billed), 0), sum(r.exact_billed)) as billed_cost,
    coalesce(sum(r.list) * 0.000000000001 + coalesce(sum(r.exact_list), 0), sum(r.exact_list)) as list_cost,
    coalesce(sum(r.contracted) * 0.000000000001 + coalesce(sum(r.exact_contracted), 0),
      sum(r.exact_contracted)) as contracted_cost
  from rows r
  join charge_scopes s on s.tenant_id = $1 and s.delivery = r.number and s.scope = r.scope
  left join folded f on f.delivery = r.number and f.scope = r.scope
  where $2::text is null or s.billing_period = $2
  group by r.delivery_id, s.account, s.billing_period, s.currency
), stored as (
  select s.delivery_id, s.account, s.billing_period, s.currency, s.charges, v.metric, v.total
  from sums s
  cross join lateral (values ('effective_cost', s.effective_cost), ('billed_cost', s.billed_cost),
      ('list_cost', s.list_cost), ('contracted_cost', s.contracted_cost)) v (metric, total)
), told as (
  select t.*
  from control_totals t
  join deliveries d on d.tenant_id = t.tenant_id and d.delivery_id = t.delivery_id and d.state = 'current'
  where t.tenant_id = $1 and ($2::text is null or t.billing_period = $2)
)
select coalesce(t.delivery_id, s.delivery_id) as delivery_id, coalesce(t.account, s.account) as account,
  coalesce(t.billing_period, s.billing_period) as billing_period, coalesce(t.currency, s.currency) as currency,
  coalesce(t.metric, s.metric) as metric, t.source_total, s.total as charges_total, t.charges as source_rows,
  s.charges as charge_rows
from told t
full join stored s on s.delivery_id = t.delivery_id and s.account = t.account and s.billing_period = t.billing_period
  and s.currency = t.currency and s.metric = t.metric
-- Lines without a metric add nothing to its total.
where case when t.metric is null then s.total is not null
  else t.source_total <> coalesce(s.total, 0) or t.charges is distinct from s.charges end
limit 5

-- name: verify.delivery_rows
select d.delivery_id, d.export, d.partition_key, d.rows as rows_delivered, c.charges + coalesce(a.more, 0) as rows_kept
from deliveries d
cross join lateral (select count(*) as charges from charge_rows r where r.tenant_id = $1
  and r.delivery = d.number offset 0) c
left join (select delivery, sum(lines - 1) as more from charge_aggregates where tenant_id = $1 group by delivery) a
    on a.delivery = d.number
where d.tenant_id = $1 and d.number is not null and d.rows <> c.charges + coalesce(a.more, 0)
  and ($2::text is null or exists (select from control_totals t where t.tenant_id = $1 and t.delivery_id = d.delivery_id
    and t.billing_period = $2))
order by d.partition_key, d.delivery_id
limit 5

-- name: verify.import_rows
select import_id, source, rows_read, accepted, rejected, ignored
from imports
where tenant_id = $1 and state <> 'running' and refused is not null -- older ones counted files as rows
  and (rows_read <> accepted + rejected + ignored
    or rejected <> (select coalesce(sum(c.rows), 0) from import_counts c
        where c.tenant_id = $1 and c.import_id = imports.import_id and c.kind = 'rejected')
    or ignored <> (select coalesce(sum(c.rows), 0) from import_counts c
        where c.tenant_id = $1 and c.import_id = imports.import_id and c.kind = 'ignored')
    or refused <> (select coalesce(sum(c.rows), 0) from import_counts c
        where c.tenant_id = $1 and c.import_id = imports.import_id and c.kind = 'refused'))
order by started_at
limit 5

-- name: verify.llm_calls
select c.call_id, c.hour, c.dimension_id, c.tag_set
from llm_calls c
left join llm_dimensions d on d.tenant_id = c.tenant_id and d.dimension_id = c.dimension_id
left join llm_tags t on t.tenant_id = c.tenant_id and t.tag_set = c.tag_set
where c.tenant_id = $1 and c.hour >= $2 and c.hour < $3
  and (d.dimension_id is null or c.tag_set is not null and t.tag_set is null)
limit 5
