-- Marks are what the work is owed to: whoever drops them writes, and nobody
-- else can. A calculation that has ended, or is older than what is stored,
-- drops none.
delete from dirty d
where d.tenant_id = $1 and d.node_id = $2 and d.day = any ($3) and (d.mark_id <= $4 or d.calculation_id = $5)
  and not exists (select from calculations c where c.tenant_id = $1 and c.calculation_id = $5 and c.finished_at is not null)
  and not exists (select from chunks k where k.tenant_id = $1 and k.node_id = $2 and k.day = d.day and k.mark > $4)
returning d.day
