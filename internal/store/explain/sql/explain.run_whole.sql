-- Parts that go to a run without any usage row.
select distinct p.part_id, p.hour
from postings p where p.tenant_id = $1 and p.run_id = $2 and p.usage_id is null
