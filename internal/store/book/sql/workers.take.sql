update allocation_batches b set worker = $4, tries = b.tries + 1
from calculations c
where b.tenant_id = $1 and b.calculation_id = $2 and b.batch = $3 and b.result is null
  and c.tenant_id = b.tenant_id and c.calculation_id = b.calculation_id and c.finished_at is null
returning b.work, c.mark
