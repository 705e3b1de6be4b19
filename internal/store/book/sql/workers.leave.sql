with free as (
  update allocation_batches set worker = null where tenant_id = $1 and worker = $2 and result is null
)
delete from allocation_workers where tenant_id = $1 and worker = $2
