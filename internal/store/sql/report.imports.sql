-- The journal of imports.
select i.import_id, i.source, i.uri, nullif(i.cluster, '') as cluster, i.state, i.started_at, i.finished_at,
       i.files::bigint as files, i.bytes, i.rows_read, i.accepted, i.rejected, i.ignored, nullif(i.message, '') as message
from imports i
where i.tenant_id = @tenant
