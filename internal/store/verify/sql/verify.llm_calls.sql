select c.call_id, c.hour, c.dimension_id, c.tag_set
from llm_calls c
left join llm_dimensions d on d.tenant_id = c.tenant_id and d.dimension_id = c.dimension_id
left join llm_tags t on t.tenant_id = c.tenant_id and t.tag_set = c.tag_set
where c.tenant_id = $1 and c.hour >= $2 and c.hour < $3 and (d.dimension_id is null or c.tag_set is not null and t.tag_set is null)
limit 5
