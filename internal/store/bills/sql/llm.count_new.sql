select count(*)
from (select distinct hour, call_id from next_llm_calls) n
where not exists (select from llm_calls c where c.tenant_id = $1 and c.hour = n.hour and c.call_id = n.call_id)
