-- The first evidence of a slice inside a hold decides over all of it.
insert into touched
select w.node_id, w.hold_from, w.hold_to, 'evidence'
from (select cluster, device, slice_id, namespace, pod, min(hour) as first, max(hour) as last from next_evidence group by cluster, device, slice_id, namespace, pod) e
join workloads w on w.tenant_id = $1 and w.cluster = e.cluster and w.namespace = e.namespace and w.name = e.pod
where w.hold_from < e.last + interval '1 hour' and (w.hold_to > e.first or w.outcome = 'running')
  and not exists (
    select from hold_evidence h
    cross join lateral (select greatest(0, floor(extract(epoch from w.hold_from - h.hour) / 60))::int as first,
      least(60, ceil(extract(epoch from w.hold_to - h.hour) / 60))::int as after) minute
    where h.tenant_id = $1 and h.cluster = e.cluster and h.device = e.device and h.slice_id = e.slice_id and h.namespace = e.namespace and h.pod = e.pod
      and h.hour > w.hold_from - interval '1 hour' and h.hour < w.hold_to
      and (h.minutes >> minute.first) & ((1::bigint << (minute.after - minute.first)) - 1) <> 0)
