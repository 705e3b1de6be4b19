select tag_set_id, tags from tag_sets
where tenant_id = $1 and tag_set_id in (select tag_set_id from charges where tenant_id = $1 and delivery_id = $2)
