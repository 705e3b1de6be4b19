-- Whether any line of a bill carries a tag.
select exists (select from charge_tags g where g.tenant_id = $1 and (g.tags ? $2 or g.tags ? ('user_' || $2)))
