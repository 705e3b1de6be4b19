-- Findings, advice and targets.

-- name: report.demand_costs
-- What workloads that have a root owner cost, for star.demand_cost.
select p.hour, w.cluster, w.namespace, w.kind, w.owner_name as name, coalesce(n.gpu_model, '') as gpu_model,
  p.mig_profile,
  coalesce(n.price_class, '') as price_class, coalesce(n.instance_type, '') as instance_type, p.owner_id, w.class,
  coalesce(r.kind, '') as run_kind, p.currency, p.state, p.effective_cost
from (
  select date_trunc('day', hour, 'UTC') as hour, node_id, workload_id, run_id, owner_id,
    coalesce(mig_profile, '') as mig_profile, currency,
    max(state) as state, sum(effective_cost) as effective_cost
  from postings
  where tenant_id = @tenant and hour >= @from and hour < @to and workload_id is not null and node_id is not null
    and usage_id is not null and effective_cost is not null
  group by 1, 2, 3, 4, 5, 6, 7
) p
join workloads w on w.tenant_id = @tenant and w.workload_id = p.workload_id
join nodes n on n.tenant_id = @tenant and n.node_id = p.node_id
left join runs r on r.tenant_id = @tenant and r.run_id = p.run_id
where w.owner_name <> ''

-- name: report.recommendations
-- One row per recommendation, with the decision on it.
select r.recommendation_id, r.kind,
  case when r.workload_kind in ('Node', 'Run', 'Device') then r.name
      else concat_ws('/', nullif(r.cluster, ''), nullif(r.namespace, ''), nullif(r.workload_kind, ''),
          nullif(r.name, '')) end as subject,
  nullif(r.cluster, '') as cluster, nullif(r.namespace, '') as namespace,
  case when r.workload_kind not in ('Node', 'Run', 'Device') then r.name end as workload,
  case when r.workload_kind = 'Run' then r.name end as run,
  @owner_columns, nullif(r.gpu_model, '') as gpu_model, r.proposal, r.saving_per_month, r.saving,
  case when r.counted_in is null or r.saving_per_month is null then r.saving_per_month else 0 end as counted_saving,
    r.counted_in as overlaps_with,
  r.instrument, r.quantity, r.term_months, r.break_even_months, r.stranded as stranded_if_less_per_month,
  r.effective_cost, r.realised_saving, r.realised_hours::bigint as realised_hours,
  coalesce(s.status, 'open') as status, s.note, s.by_name as decided_by, s.at as decided_at, r.holds,
  r.basis as saving_basis, r.effort, r.risk, r.confidence, r.from_at as window_start, r.to_at as window_end,
  case when r.lifetime_hours > 0 then r.observed_hours::bigint end as observed_hours,
    nullif(r.lifetime_hours, 0)::bigint as lifetime_hours, r.first_seen,
    (select string_agg((e.value ->> 'name') || ': ' || (e.value ->> 'value') || coalesce(' ' || (e.value ->> 'unit'),
      '') || coalesce(' (' || (e.value ->> 'limit') || ')', ''), '; ' order by e.ordinality)
    from jsonb_array_elements(r.evidence) with ordinality e) as evidence,
  nullif(r.currency, '') as currency, r.state, 1 as one
from recommendations r
left join recommendation_states s on s.tenant_id = @tenant and s.recommendation_id = r.recommendation_id
left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
where r.tenant_id = @tenant and r.to_at > @from and r.from_at < @to

-- name: report.target_parts
-- The measures behind targets, for star.target: known activity of held time, idle capacity, the spot share of the time
-- that training held, and the cost of a unit of a model (a million tokens if they are counted, else a thousand
-- requests).
with held as (
  select date_trunc('day', u.hour, 'UTC') as hour,
    -- unheld time has activity, too
    coalesce(sum(u.active_gpu_hours) filter (where u.gpu_hours > 0), 0) as active,
    coalesce(sum(u.gpu_hours) filter (where u.activity <> 'unknown'), 0) as known,
    coalesce(sum(u.capacity_gpu_hours) filter (where u.cause in (@idle_causes)), 0) as idle,
    coalesce(sum(u.capacity_gpu_hours) filter (where u.cause <> 'unobserved' or u.gpu_hours > 0), 0) as capacity
  from usage u
  where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to
  group by 1
)
select hour, 'utilisation' as target, '' as subject, '' as unit, '' as currency, active as numerator,
  known as denominator from held where known > 0
union all
select hour, 'idle_share', '', '', '', idle, capacity from held where capacity > 0
union all
select date_trunc('day', u.hour, 'UTC'), 'spot_adoption', '', '', '',
  coalesce(sum(u.gpu_hours) filter (where n.price_class = 'spot'), 0), sum(u.gpu_hours)
from usage u
join runs r on r.tenant_id = u.tenant_id and r.run_id = u.run_id and r.kind in ('training', 'fine_tuning')
join nodes n on n.tenant_id = u.tenant_id and n.node_id = u.node_id
where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to
group by 1
having sum(u.gpu_hours) > 0
union all
select s.hour, 'unit_cost', s.model, u.unit, s.currency, u.cost, u.units
from (
  select date_trunc('day', hour, 'UTC') as hour, model, currency,
    sum(effective_cost) filter (where counts_tokens) as token_cost,
    sum(coalesce(prompt_tokens, 0) + coalesce(generation_tokens, 0)) filter (where counts_tokens) as tokens,
    sum(effective_cost) filter (where counts_requests) as request_cost,
    sum(requests) filter (where counts_requests) as requests
  from serving_hours
  where tenant_id = @tenant and hour >= @from and hour < @to and model <> '' and currency <> ''
  group by 1, 2, 3
) s
cross join lateral (
  select '1M tokens' as unit, s.token_cost as cost, s.tokens / 1e6 as units where s.tokens > 0
  union all
  select '1k requests', s.request_cost, s.requests / 1e3 where coalesce(s.tokens, 0) = 0 and s.requests > 0
) u
where u.cost is not null

-- name: report.targets
-- Each day's ratio next to its target, with the ratio of the four weeks before, and since when its status has held.
select * from (
select s.day, s.target, nullif(s.subject, '') as subject, nullif(s.unit, '') as unit,
       nullif(s.currency, '') as currency,
       s.numerator, s.denominator, s.value, s.before, s.change, s.status, s.goal,
       min(s.day) over (partition by s.target, s.subject, s.unit, s.currency, s.status, s.islands) as since
from (
  select v.*, row_number() over (partition by v.target, v.subject, v.unit, v.currency order by v.day)
         - row_number() over (partition by v.target, v.subject, v.unit, v.currency, v.status order by v.day) as islands
  from (
    select d.*, j.change, t.goal, case
             when j.judged is null then 'unknown'
             when j.judged < t.act_below or j.judged > t.act_above then 'act'
             when j.judged < t.at_least or j.judged > t.at_most then 'watch'
             else 'good' end as status
    from (
      select at as day, target, subject, unit, currency, numerator, denominator,
             numerator / nullif(denominator, 0) as value,
             sum(numerator) over past / nullif(sum(denominator) over past, 0) as before
      from star.target_days
      where tenant_id = @tenant
      window past as (partition by target, subject, unit, currency
          order by at range between interval '28 days' preceding and interval '1 day' preceding)
    ) d
    cross join lateral (select d.value / nullif(d.before, 0) - 1) c (change)
    cross join lateral (select c.change, case d.target when 'unit_cost' then c.change else d.value end) j (change,
        judged)
    join @target_values using (target)
  ) v
) s
) w
where w.day >= @from and w.day < @to

-- name: report.waste
-- Findings that overlap the window, whole; one row per currency. Hours and
-- GPU-hours are in the first row of a finding.
select f.finding_id, f.kind, k.label, k.meaning, k.action, f.subject, f.from_at as "from", f.to_at as "to", f.open,
  f.risk as overlaps,
       case when c.leads is not false then trim_scale(round(extract(epoch from f.to_at - f.from_at) / 3600,
           12)) end as hours,
       case when c.leads is not false then trim_scale(round(f.met_seconds / 3600.0, 12)) end as hours_met,
       case when c.leads is not false then f.gpu_hours end as gpu_hours,
       c.currency, c.effective_cost, abs(c.effective_cost) as effective_abs,
       case when extract(epoch from f.to_at - f.from_at) >= @monthly_from_seconds
            then round(c.effective_cost * @month_seconds / extract(epoch from f.to_at - f.from_at), 12)
       end as cost_per_month,
       case when not f.risk then c.effective_cost end as idle_cost,
       e.evidence, f.evidence::text as evidence_json, f.quality, c.state, f.first_seen, f.last_seen,
       nullif(f.cluster, '') as cluster, nullif(n.name, '') as node, f.device, f.mig_profile,
       coalesce(f.instance_type, n.instance_type) as instance_type,
       nullif(coalesce(f.gpu_model, n.gpu_model), '') as gpu_model, n.region, n.zone, f.namespace, f.workload_kind,
       w.class as workload_class, f.workload, f.pod,
       f.service, f.run_id, q.recommendation_id, @owner_columns
from findings f
join (@waste_kinds) k (kind, label, meaning, action, advice) on k.kind = f.kind
left join finding_costs c on c.tenant_id = f.tenant_id and c.finding_id = f.finding_id
left join nodes n on n.tenant_id = f.tenant_id and n.node_id = f.node_id
left join workloads w on w.tenant_id = f.tenant_id and w.workload_id = f.workload_id
left join owners o on o.tenant_id = f.tenant_id and o.owner_id = f.owner_id
left join recommendations q -- by the subject that advice.findings gives it
  on q.tenant_id = @tenant and q.kind = k.advice and q.cluster = f.cluster and q.gpu_model = coalesce(f.gpu_model, '')
    and q.currency = coalesce(c.currency, '')
  and q.namespace = case when f.workload is not null and f.scope <> 'device' then coalesce(f.namespace, '') else '' end
  and q.workload_kind = case when f.scope = 'device' then 'Device'
      when f.workload is not null then coalesce(f.workload_kind, '') when f.run_id is not null then 'Run'
          else 'Node' end
  and q.name = case when f.scope = 'device' then f.subject else coalesce(f.workload, f.run_id, f.subject) end
left join lateral (
  select string_agg(x.e ->> 'said', '; ' order by x.place) as evidence
  from jsonb_array_elements(f.evidence) with ordinality x (e, place)
) e on true
where f.tenant_id = @tenant and f.from_at < @to and f.to_at > @from
