-- Whoever has the lock is the planner: no other calculation goes on. It waits
-- for steps that others are just writing (calculation.fence).
update calculations set finished_at = $3, message = 'another calculation took over'
where (tenant_id, calculation_id) in (
  select o.tenant_id, o.calculation_id from calculations o
  where o.tenant_id = $1 and o.finished_at is null and o.calculation_id <> $2 for update)
