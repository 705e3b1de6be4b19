select node, device_index, device, first_hour, last_hour + interval '1 hour'
from devices
where tenant_id = $1 and cluster = $2 and node = any ($3)
order by node, device_index, device
