-- Marks become visible in their order, so that nothing up to the newest is
-- still to come.
select coalesce((select mark_id from newest_marks where tenant_id = $1), 0)
