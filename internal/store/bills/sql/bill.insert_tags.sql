insert into charge_tags (tenant_id, delivery, tag_set, tags)
select $1, $2, tag_set, tags
from next_tags where slot = $3
