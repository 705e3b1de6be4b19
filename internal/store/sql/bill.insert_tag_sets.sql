insert into tag_sets (tenant_id, tag_set_id, tags)
select distinct on (tag_set_id) tenant_id, tag_set_id, tags from next_tag_sets where tenant_id = $1
on conflict do nothing
