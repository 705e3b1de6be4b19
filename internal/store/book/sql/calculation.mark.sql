-- Marks become visible in their order, so that nothing up to the newest is
-- still to come. When all of them are dropped an earlier calculation knows.
select greatest((select coalesce(max(mark_id), 0) from dirty where tenant_id = $1),
  (select coalesce(max(mark), 0) from calculations where tenant_id = $1))
