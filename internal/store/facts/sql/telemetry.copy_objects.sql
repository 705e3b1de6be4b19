copy next_objects (tenant_id, cluster, kind, namespace, name, created_at, owner_kind, owner_name, labels, attrs, labels_at, attrs_at)
from stdin (format binary)
