-- The folded keys of labels that anything carries.
select distinct k.key from workloads w cross join lateral jsonb_object_keys(w.labels) k (key) where w.tenant_id = $1
union
select distinct k.key from runs r cross join lateral jsonb_object_keys(r.labels) k (key) where r.tenant_id = $1
