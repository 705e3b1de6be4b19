-- Facts of what can hold devices, with what allocation made of them.
select f.cluster, coalesce(nullif(f.system, ''), 'kubernetes') as system, nullif(f.namespace, '') as namespace, f.name, f.uid, nullif(f.node, '') as node,
       nullif(f.owner_kind, '') as owner_kind, nullif(f.owner_name, '') as owner_name,
       (select string_agg(r.key || '=' || r.value, ', ' order by r.key) from jsonb_each_text(f.requests) r) as requests,
       f.created_at, f.eligible_at, f.scheduled_at, f.started_at, coalesce(f.completed_at, f.terminal_at) as ended_at, f.first_seen, f.last_seen,
       w.hold_from, w.hold_to,
       coalesce(nullif(f.outcome, ''), w.outcome) as outcome, nullif(case when f.outcome <> '' then f.outcome_reason else w.reason end, '') as reason,
       w.class, nullif(w.run_id, '') as run_id,
       bins_percentile(s.activity_bins, 50) / 1000000 as activity_p50, bins_percentile(s.activity_bins, 95) / 1000000 as activity_p95
from workload_facts f
left join workloads w on w.tenant_id = @tenant and w.cluster = f.cluster and w.uid = f.uid
left join (
  select q.workload_id, merged_bins(q.activity_bins) as activity_bins
  from (
@workload_signals
  ) q
  group by q.workload_id
) s on s.workload_id = w.workload_id
where f.tenant_id = @tenant
  and coalesce(w.hold_from, f.scheduled_at, f.created_at, f.first_seen, f.started_at, @from) < @to
  and coalesce(w.hold_to, f.completed_at, f.terminal_at, f.last_seen, 'infinity') >= @from
