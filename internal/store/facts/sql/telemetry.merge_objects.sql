insert into objects select * from next_objects where tenant_id = $1
on conflict (tenant_id, cluster, kind, namespace, name, created_at) do update
set owner_kind = excluded.owner_kind, owner_name = excluded.owner_name, labels = excluded.labels, attrs = excluded.attrs,
  labels_at = excluded.labels_at, attrs_at = excluded.attrs_at
