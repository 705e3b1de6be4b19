-- What was posted of the parts of a bill line to who sees a part of the books.
select @part_share(p), p.hour, count(*)
from delivery_words d
join part_words b on b.tenant_id = $1 and b.delivery_id = d.delivery_id and b.charge_id = $2
join postings p on p.tenant_id = $1 and p.hour = b.hour and p.part_id = b.part_id
where d.tenant_id = $1 and d.state = 'current'
group by p.part_id, p.hour, p.currency
