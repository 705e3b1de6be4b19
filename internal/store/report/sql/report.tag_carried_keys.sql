-- The keys of tags that lines of bills carry.
select distinct k.key from charge_tags g cross join lateral jsonb_object_keys(g.tags) k (key) where g.tenant_id = $1
