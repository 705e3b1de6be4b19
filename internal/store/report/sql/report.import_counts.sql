-- Rows that became no facts, by reason.
select c.import_id, i.source, c.kind, c.reason, c.rows
from import_counts c
join imports i on i.tenant_id = c.tenant_id and i.import_id = c.import_id
where c.tenant_id = @tenant
