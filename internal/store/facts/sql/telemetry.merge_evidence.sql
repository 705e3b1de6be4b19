with merged as (
  insert into hold_evidence as h (tenant_id, cluster, device, slice_id, namespace, pod, hour, node, minutes)
  select $1, cluster, device, slice_id, namespace, pod, hour, max(node), bit_or(minutes)
  from next_evidence
  group by cluster, device, slice_id, namespace, pod, hour
  on conflict (tenant_id, cluster, device, slice_id, namespace, pod, hour) do update
  set minutes = h.minutes | excluded.minutes, node = greatest(h.node, excluded.node)
  where h.minutes | excluded.minutes <> h.minutes or h.node < excluded.node
  returning cluster, node, hour
)
insert into touched_names select distinct cluster, node, hour, 'evidence minutes' from merged
