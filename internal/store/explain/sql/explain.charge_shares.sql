-- What was posted of the parts of a charge.
select @part_share(p), p.hour, count(*)
from parts b join postings p on p.tenant_id = $1 and p.hour = b.hour and p.part_id = b.part_id
where b.tenant_id = $1 and b.delivery_id = $2 and b.charge_id = $3
group by p.part_id, p.hour, p.currency
