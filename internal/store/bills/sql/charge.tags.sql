select tag_set, tags from charge_tags where tenant_id = $1 and delivery = $2
