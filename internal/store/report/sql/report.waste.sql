-- Findings that overlap the window, whole; one row per currency. Hours and
-- GPU-hours are in the first row of a finding.
select f.finding_id, f.kind, k.label, k.meaning, k.action, f.subject, f.from_at as "from", f.to_at as "to", f.open, f.risk as overlaps,
       case when c.leads is not false then trim_scale(round(extract(epoch from f.to_at - f.from_at) / 3600, 12)) end as hours,
       case when c.leads is not false then trim_scale(round(f.met_seconds / 3600.0, 12)) end as hours_met,
       case when c.leads is not false then f.gpu_hours end as gpu_hours,
       c.currency, c.effective_cost, abs(c.effective_cost) as effective_abs,
       case when extract(epoch from f.to_at - f.from_at) >= @monthly_from_seconds then round(c.effective_cost * @month_seconds / extract(epoch from f.to_at - f.from_at), 12) end as cost_per_month,
       case when not f.risk then c.effective_cost end as idle_cost,
       e.evidence, f.evidence::text as evidence_json, f.quality, c.state, f.first_seen, f.last_seen,
       nullif(f.cluster, '') as cluster, nullif(n.name, '') as node, f.device, f.mig_profile, coalesce(f.instance_type, n.instance_type) as instance_type,
       nullif(coalesce(f.gpu_model, n.gpu_model), '') as gpu_model, n.region, n.zone, f.namespace, f.workload_kind, w.class as workload_class, f.workload, f.pod,
       f.service, f.run_id, q.recommendation_id, @owner_columns
from findings f
join (@waste_kinds) k (kind, label, meaning, action, advice) on k.kind = f.kind
left join finding_costs c on c.tenant_id = f.tenant_id and c.finding_id = f.finding_id
left join nodes n on n.tenant_id = f.tenant_id and n.node_id = f.node_id
left join workloads w on w.tenant_id = f.tenant_id and w.workload_id = f.workload_id
left join owners o on o.tenant_id = f.tenant_id and o.owner_id = f.owner_id
left join recommendations q -- by the subject that advice.findings gives it
  on q.tenant_id = @tenant and q.kind = k.advice and q.cluster = f.cluster and q.gpu_model = coalesce(f.gpu_model, '') and q.currency = coalesce(c.currency, '')
  and q.namespace = case when f.workload is not null and f.scope <> 'device' then coalesce(f.namespace, '') else '' end
  and q.workload_kind = case when f.scope = 'device' then 'Device' when f.workload is not null then coalesce(f.workload_kind, '') when f.run_id is not null then 'Run' else 'Node' end
  and q.name = case when f.scope = 'device' then f.subject else coalesce(f.workload, f.run_id, f.subject) end
left join lateral (
  select string_agg(x.e ->> 'said', '; ' order by x.place) as evidence from jsonb_array_elements(f.evidence) with ordinality x (e, place)
) e on true
where f.tenant_id = @tenant and f.from_at < @to and f.to_at > @from
