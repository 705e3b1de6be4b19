insert into next_odd
select n.charge_id is not null, coalesce(n.charge_id, o.charge_id)
from (select charge_id from :fresh) n
full join (select charge_id from :old) o on o.charge_id = n.charge_id
where n.charge_id is null or o.charge_id is null
