-- What of the fleet's capacity was billed, seen and known, by time and cluster.
select h.period_start, h.cluster, nullif(n.instance_type, '') as instance_type,
       count(*)::bigint as nodes,
       count(*) filter (where h.without_bill)::bigint as nodes_without_bill,
       count(*) filter (where h.without_telemetry)::bigint as nodes_without_telemetry,
       sum(h.capacity) as capacity_gpu_hours, sum(h.billed) as billed_gpu_hours,
       sum(h.surplus) as surplus_gpu_hours, sum(h.unbilled) as unbilled_gpu_hours,
       coalesce(max(m.hours), 0) as may_be_billed_gpu_hours, max(m.cost) as would_cost, max(m.currency) as would_cost_currency,
       sum(h.known) as known_gpu_hours, sum(h.held) as held_gpu_hours, sum(h.unobserved) as unobserved_gpu_hours,
       sum(h.measured) as measured_gpu_hours, sum(h.estimated) as estimated_gpu_hours, sum(h.assumed) as assumed_gpu_hours
from (
  select @period_start as period_start, p.cluster, p.node_id, sum(p.capacity) as capacity, sum(p.billed) as billed, sum(p.surplus) as surplus, sum(p.unbilled) as unbilled,
         sum(p.known) as known, sum(p.held) as held, sum(p.unobserved) as unobserved, sum(p.measured) as measured, sum(p.estimated) as estimated, sum(p.assumed) as assumed,
         bool_and(p.without_bill) as without_bill, bool_and(p.without_telemetry) as without_telemetry
  from (
@covered_rows
  ) p
  group by 1, p.cluster, p.node_id
) h
left join nodes n on n.tenant_id = @tenant and n.node_id = h.node_id
left join (
  select p.period_start, p.cluster, p.instance_type, sum(p.hours) as hours, case when count(distinct p.currency) = 1 then sum(p.cost) end as cost,
         case when count(distinct p.currency) = 1 then min(p.currency) end as currency
  from (
    select @period_start as period_start, p.cluster, p.instance_type, p.hours, p.cost, p.currency
    from (
      select b.hour, nullif(n.cluster, '') as cluster, nullif(n.instance_type, '') as instance_type, b.usage_seconds::numeric * n.gpus / 3600 as hours,
             round(f.hourly * b.usage_seconds / 3600, 12) as cost, f.currency
      from parts b
      join nodes n on n.tenant_id = @tenant and n.node_id = b.node_id
      left join posted_rates f on f.tenant_id = @tenant and f.rate_id = b.rate_id
      where b.tenant_id = @tenant and b.hour >= @from and b.hour < @to and b.kind = 'provisional' and b.method = 'may be billed'
    ) p
  ) p
  group by 1, 2, 3
) m on m.period_start is not distinct from h.period_start and m.cluster is not distinct from h.cluster and m.instance_type is not distinct from nullif(n.instance_type, '')
group by h.period_start, h.cluster, n.instance_type
