-- What was posted to machines, a device, attempts or a usage row, per part.
select @part_share(p), p.hour, count(*)
from postings p where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3
  and ($4::uuid[] is null or p.node_id = any($4)) and ($5::text is null or p.device = $5)
  and ($6::uuid[] is null or p.attempt_id = any($6)) and ($7::uuid is null or p.usage_id = $7)
group by p.part_id, p.hour, p.currency
