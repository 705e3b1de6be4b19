select count(*), coalesce(max(message) filter (where tries >= $3 and message is not null), '')
from allocation_batches where tenant_id = $1 and calculation_id = $2
