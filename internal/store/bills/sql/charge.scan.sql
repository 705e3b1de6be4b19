select r.charge_id, r.line, r.starts, r.ends, r.scope, r.item, coalesce(r.resource, 0), coalesce(r.tag_set, 0),
  r.effective, r.billed, r.list, r.contracted, r.usage, r.credit, r.instance_seconds, r.exact,
  a.lines, a.line_ranges, a.digest,
  s.parent, s.cluster, s.namespace, s.pod, s.pod_uid, s.resource, s.used, s.unused
from charge_rows r
left join charge_aggregates a on a.tenant_id = r.tenant_id and a.delivery = r.delivery and a.charge_id = r.charge_id
left join charge_splits s on s.tenant_id = r.tenant_id and s.delivery = r.delivery and s.charge_id = r.charge_id
where r.tenant_id = $1 and r.delivery = $2
order by r.charge_id
