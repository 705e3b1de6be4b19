-- Whether any charge carries a tag of the customer's own.
select exists (select from tag_sets t, jsonb_object_keys(t.tags) k
  where t.tenant_id = $1 and k not like 'aws%' and k not like 'goog%' and k not like 'k8s-%')
