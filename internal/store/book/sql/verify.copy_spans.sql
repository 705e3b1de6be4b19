copy (
  select node_id, day, slot, slice_id, workload_id, run_id, attempt_id, cause, from_at, to_at
  from spans where tenant_id = :tenant and day >= :from and day < :to
) to stdout (format binary)
