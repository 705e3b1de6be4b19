-- One posting in the form of a share of its part.
select @part_share(p), p.hour, count(*)
from postings p where p.tenant_id = $1 and p.hour = $3 and p.posting_id = $2
group by p.part_id, p.hour, p.currency
