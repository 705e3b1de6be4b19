delete from next_evidence n using hold_evidence h
where n.tenant_id = $1 and h.tenant_id = $1 and h.cluster = n.cluster and h.device = n.device and h.slice_id = n.slice_id and h.namespace = n.namespace
  and h.pod = n.pod and h.hour = n.hour and h.minutes | n.minutes = h.minutes and h.node >= n.node
