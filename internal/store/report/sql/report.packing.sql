-- Days of the GPUs of a model in a cluster: how well cards in MIG mode were
-- packed, how few would have done, and what these cards cost.
select p.period_start, nullif(p.cluster, '') as cluster, nullif(p.model, '') as gpu_model, p.cards, p.fewest, p.exact, p.stuck_ppm, p.free_ppm, p.cards_used,
  p.card_hours, p.fragmented_hours, p.dead_compute_hours, p.dead_memory_hours, p.gpu_hours, p.stranded_gpu_hours, p.state,
  coalesce(p.currency, case when min(p.currency) over one = max(p.currency) over one then min(p.currency) over one end) as currency,
  p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.stranded_cost, p.saving
from (
  select @period_start as period_start, p.*
  from (
    select k.day as hour, k.cluster, k.model, k.cards::bigint as cards, k.fewest::bigint as fewest, case when k.exact then 'yes' else 'no' end as exact, k.stuck_ppm, k.free_ppm, null::text as cards_used,
      null::numeric as card_hours, null::numeric as fragmented_hours, null::numeric as dead_compute_hours, null::numeric as dead_memory_hours, null::numeric as gpu_hours, null::numeric as stranded_gpu_hours,
      null::text as state, null::text as currency, null::numeric as effective_cost, null::numeric as billed_cost, null::numeric as list_cost, null::numeric as contracted_cost, null::numeric as stranded_cost, null::numeric as saving
    from packing_days k
    where k.tenant_id = @tenant and k.day >= @from and k.day < @to
    union all
    select l.day, n.cluster, coalesce(n.gpu_model, ''), null, null, null, null, null, l.device,
      h.hours, h.hours * l.fragmentation_ppm / 1e6, h.hours * l.dead_compute / l.compute, h.hours * l.dead_memory / l.memory, null, null,
      null, null, null, null, null, null, null, null
    from layout_days l
    cross join lateral (select extract(epoch from l.to_at - l.from_at)::numeric / 3600 as hours) h
    join nodes n on n.tenant_id = @tenant and n.node_id = l.node_id
    where l.tenant_id = @tenant and l.day >= @from and l.day < @to and cardinality(l.slice_ids) > 0
    union all
    select s.day, n.cluster, coalesce(n.gpu_model, ''), null, null, null, null, null, null,
      null, null, null, null, sum(s.gpu_hours) filter (where s.cut), coalesce(sum(s.capacity_gpu_hours) filter (where s.cause = 'stranded'), 0),
      max(s.state), s.currency, sum(s.effective_cost), sum(s.billed_cost), sum(s.list_cost), sum(s.contracted_cost), coalesce(sum(s.effective_cost) filter (where s.cause = 'stranded'), case when s.currency is not null then 0 end),
      sum(s.effective_cost) * (min(k.cards) - min(k.fewest)) / nullif(min(k.cards), 0)
    from (
      select v.*, cardinality(l.slice_ids) > 0 as cut, bool_or(cardinality(l.slice_ids) > 0) over (partition by v.day, v.node_id, v.slot, l.device) as used
      from slice_days v
      join layout_days l on l.tenant_id = @tenant and l.day = v.day and l.node_id = v.node_id and l.slot = v.slot and l.number = v.number
      where v.tenant_id = @tenant and v.day >= @from and v.day < @to
    ) s
    join nodes n on n.tenant_id = @tenant and n.node_id = s.node_id
    left join packing_days k on k.tenant_id = @tenant and k.day = s.day and k.cluster = n.cluster and k.model = coalesce(n.gpu_model, '')
    where s.used
    group by s.day, n.cluster, coalesce(n.gpu_model, ''), s.currency
  ) p
) p
window one as (partition by p.cluster, p.model)
