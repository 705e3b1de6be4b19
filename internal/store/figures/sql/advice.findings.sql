-- Findings by what to do something about: the root workload, the run, the node, the card.
-- One that reaches over the window has the part of its cost that its time in the
-- window is of all its time. Without a currency nothing prices it. Last are the times
-- in which the machine (without days in the dark) or the run was there; of a workload
-- its hours say so.
select f.kind, f.cluster,
  case when f.workload is not null and f.scope <> 'device' then coalesce(f.namespace, '') else '' end,
  case when f.scope = 'device' then 'Device' when f.workload is not null then coalesce(f.workload_kind, '') when f.run_id is not null then 'Run' else 'Node' end,
  case when f.scope = 'device' then f.subject else coalesce(f.workload, f.run_id, f.subject) end, coalesce(f.owner_id, '00000000-0000-0000-0000-000000000000'), coalesce(f.gpu_model, ''),
  f.from_at, f.to_at, f.open, coalesce(case when f.from_at >= $2 and f.to_at <= $3 then c.effective_cost
    else round(c.effective_cost * extract(epoch from least(f.to_at, $3) - greatest(f.from_at, $2)) / extract(epoch from f.to_at - f.from_at), 12) end, 0),
  coalesce(c.currency, ''), coalesce(c.state, 'open'), f.quality,
  t.since, t.until
from findings f
left join finding_costs c on c.tenant_id = f.tenant_id and c.finding_id = f.finding_id
left join nodes n on n.tenant_id = f.tenant_id and n.node_id = f.node_id and (f.scope = 'device' or f.workload is null and f.run_id is null)
left join runs r on r.tenant_id = f.tenant_id and r.run_id = f.run_id and f.workload is null and f.scope <> 'device'
cross join lateral (
  select coalesce(array_agg(extract(epoch from lower(s.span))::bigint), '{}') as since, coalesce(array_agg(extract(epoch from upper(s.span))::bigint), '{}') as until
  from unnest(tstzmultirange(tstzrange(coalesce(n.appeared_at, r.started_at, f.from_at), greatest(coalesce(n.appeared_at, r.started_at, f.from_at), coalesce(n.gone_at, r.ended_at, $3))) * tstzrange($2, $3))
    - coalesce(n.dark_days, '{}')) s (span)
) t
where f.tenant_id = $1 and f.to_at > $2 and f.from_at < $3
order by f.kind, f.subject, f.from_at, f.finding_id, c.currency
