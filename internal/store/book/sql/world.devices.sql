select cluster, node, device, device_index, model, first_hour, last_hour, in_mig, first_at, last_at
from devices where tenant_id = $1
order by cluster, node, device_index, device
