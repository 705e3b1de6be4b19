-- What changes whenever the books do: imports, deliveries, allocations, and all
-- that the audit log has.
select concat_ws(' ',
  (select count(*) || ' ' || max(greatest(started_at, finished_at)) from imports where tenant_id = $1),
  (select count(*) || ' ' || max(published_at) from deliveries where tenant_id = $1),
  (select count(*) || ' ' || max(mark) from chunks where tenant_id = $1),
  (select count(*) || ' ' || max(greatest(started_at, finished_at)) from calculations where tenant_id = $1),
  (select max(number) from audit_log where tenant_id = $1))
