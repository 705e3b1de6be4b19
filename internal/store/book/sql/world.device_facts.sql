select cluster, node, device, device_index, model, in_mig, registered, date_trunc('hour', first_at, 'UTC'), date_trunc('hour', last_at, 'UTC')
from device_facts where tenant_id = $1
order by cluster, node, device_index, device
