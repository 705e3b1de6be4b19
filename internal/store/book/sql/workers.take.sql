-- One that nobody has, of a calculation that goes on; two who ask at once get two. A
-- slot that asks while it has one never heard of it, or could not say what came of
-- it: it gets the same again.
update allocation_batches b set worker = $2, slot = $3, tries = b.tries + 1
from (
  select n.calculation_id, n.batch, c.mark
  from allocation_batches n
  join calculations c on c.tenant_id = n.tenant_id and c.calculation_id = n.calculation_id and c.finished_at is null
  where n.tenant_id = $1 and n.result is null and (n.worker is null or n.worker = $2 and n.slot = $3)
  order by n.worker, n.calculation_id, n.batch
  limit 1
  for update of n skip locked
) n
where b.tenant_id = $1 and b.calculation_id = n.calculation_id and b.batch = n.batch
returning b.calculation_id, b.batch, b.work, n.mark
