select device, device_index, model, first_hour, last_hour, in_mig
from devices
where tenant_id = $1 and cluster = $2 and node = $3
order by device_index, device
