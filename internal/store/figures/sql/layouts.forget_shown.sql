delete from shown_layouts where tenant_id = $1
