-- One row per recommendation, with what people decided.
select r.recommendation_id, r.kind,
  case when r.workload_kind in ('Node', 'Run', 'Device') then r.name else concat_ws('/', nullif(r.cluster, ''), nullif(r.namespace, ''), nullif(r.workload_kind, ''), nullif(r.name, '')) end as subject,
  nullif(r.cluster, '') as cluster, nullif(r.namespace, '') as namespace, case when r.workload_kind not in ('Node', 'Run', 'Device') then r.name end as workload,
  case when r.workload_kind = 'Run' then r.name end as run,
  @owner_columns, nullif(r.gpu_model, '') as gpu_model, r.proposal, r.saving_per_month, r.saving,
  case when r.counted_in is null or r.saving_per_month is null then r.saving_per_month else 0 end as counted_saving, r.counted_in as overlaps_with,
  r.instrument, r.quantity, r.term_months, r.break_even_months, r.stranded as stranded_if_less_per_month,
  r.effective_cost, r.realised_saving, r.realised_hours::bigint as realised_hours,
  coalesce(s.status, 'open') as status, s.note, s.by_name as decided_by, s.at as decided_at, r.holds, r.basis as saving_basis, r.effort, r.risk, r.confidence, r.from_at as window_start, r.to_at as window_end,
  case when r.lifetime_hours > 0 then r.observed_hours::bigint end as observed_hours, nullif(r.lifetime_hours, 0)::bigint as lifetime_hours, r.first_seen, (select string_agg((e.value ->> 'name') || ': ' || (e.value ->> 'value') || coalesce(' ' || (e.value ->> 'unit'), '') || coalesce(' (' || (e.value ->> 'limit') || ')', ''), '; ' order by e.ordinality)
    from jsonb_array_elements(r.evidence) with ordinality e) as evidence,
  nullif(r.currency, '') as currency, r.state, 1 as one
from recommendations r
left join recommendation_states s on s.tenant_id = @tenant and s.recommendation_id = r.recommendation_id
left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
where r.tenant_id = @tenant and r.to_at > @from and r.from_at < @to
