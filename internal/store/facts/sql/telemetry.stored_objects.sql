select o.cluster, o.kind, o.namespace, o.name, o.created_at, o.owner_kind, o.owner_name, o.labels, o.attrs, o.labels_at, o.attrs_at
from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[]) k (cluster, kind, namespace, name, created_at)
join objects o on o.tenant_id = $1 and o.cluster = k.cluster and o.kind = k.kind and o.namespace = k.namespace and o.name = k.name
  and o.created_at = k.created_at
