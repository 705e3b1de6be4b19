select import_id, source, rows_read, accepted, rejected, ignored
from imports
where tenant_id = $1 and state <> 'running' and refused is not null -- older ones counted files among the rows
  and (rows_read <> accepted + rejected + ignored
    or rejected <> (select coalesce(sum(c.rows), 0) from import_counts c where c.tenant_id = $1 and c.import_id = imports.import_id and c.kind = 'rejected')
    or ignored <> (select coalesce(sum(c.rows), 0) from import_counts c where c.tenant_id = $1 and c.import_id = imports.import_id and c.kind = 'ignored')
    or refused <> (select coalesce(sum(c.rows), 0) from import_counts c where c.tenant_id = $1 and c.import_id = imports.import_id and c.kind = 'refused'))
order by started_at
limit 5
