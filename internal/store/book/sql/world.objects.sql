select cluster, kind, namespace, name, created_at, owner_kind, owner_name, labels, attrs, labels_at, attrs_at
from objects where tenant_id = $1 and kind <> 'PodSelectors' -- one per pod, and nothing in the world follows from them
order by cluster, kind, namespace, name, created_at
