insert into charge_splits (tenant_id, delivery, charge_id, scope, parent, cluster, namespace, pod, pod_uid, resource, used, unused)
select $1, $2, charge_id, scope, parent, cluster, namespace, pod, pod_uid, resource, used, unused
from next_splits where slot = $3
