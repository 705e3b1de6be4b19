insert into touched
select w.node_id, w.hold_from, w.hold_to, 'evidence'
from (select distinct e.cluster, e.device, e.slice_id, e.namespace, e.pod from next_evidence e
      where not exists (select from hold_evidence h where h.tenant_id = $1 and h.cluster = e.cluster and h.device = e.device
        and h.slice_id = e.slice_id and h.namespace = e.namespace and h.pod = e.pod)) e
join workloads w on w.tenant_id = $1 and w.cluster = e.cluster and w.namespace = e.namespace and w.name = e.pod
