-- Who is believed to have held what in the node-hours asked for: workloads with
-- usage there, with exporter rows that named them and placements that say so.
with held as (
  select distinct k.node_id, k.hour, u.device, u.slice_id, u.workload_id
  from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
  join usage u on u.tenant_id = $1 and u.node_id = k.node_id and u.hour = k.hour and u.workload_id is not null
)
select h.node_id, h.hour, coalesce(nullif(w.namespace, '') || '/', '') || w.name, w.uid, w.kind, w.class, w.hold_from, w.hold_to, w.outcome,
  coalesce(p.evidence, case when e.minutes > 0 then 'exporter_rows' else 'request' end), h.device, h.slice_id, coalesce(e.minutes, 0), p.core, p.memory
from held h
join workloads w on w.tenant_id = $1 and w.workload_id = h.workload_id
join nodes n on n.tenant_id = $1 and n.node_id = h.node_id
left join lateral (
  select max(bit_count(v.minutes::bit(64)))::int as minutes from hold_evidence v
  where v.tenant_id = $1 and v.cluster = n.cluster and v.node = n.name and v.hour = h.hour and v.device = h.device and v.slice_id = coalesce(h.slice_id, -1)
    and v.namespace = w.namespace and v.pod = w.name
) e on true
left join lateral (
  select l.evidence, nullif(l.core_share, -1) as core, nullif(l.memory_share, -1) as memory from placements l
  where l.tenant_id = $1 and l.cluster = w.cluster and l.workload = w.uid and l.node = n.name and (l.device = h.device or l.device like '#%') and l.slice_id = coalesce(h.slice_id, -1)
    and l.from_at < h.hour + interval '1 hour' and (l.to_at is null or l.to_at > h.hour)
  order by array_position('{resource_claim,annotation,job_record,process}'::text[], l.evidence), l.from_at limit 1
) p on p.evidence <> 'process' or coalesce(e.minutes, 0) = 0
order by h.hour, h.node_id, h.device, h.slice_id nulls first, w.uid
