copy next_splits (slot, charge_id, scope, parent, cluster, namespace, pod, pod_uid, resource, used, unused) from stdin (format binary)
