insert into touched_parts select distinct node_id, date_trunc('day', hour, 'UTC')
from parts where tenant_id = $1 and delivery_id = $2
