select delivery_id, digest, delivered_at, number, export, aggregated
from deliveries
where tenant_id = $1 and source = $2 and export = $3 and scope = $4 and dataset = $5 and partition_key = $6 and state = 'current'
for update
