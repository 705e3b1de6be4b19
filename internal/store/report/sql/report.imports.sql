-- The journal of imports, with what their deliveries restated.
select i.import_id, i.source, i.uri, nullif(i.cluster, '') as cluster, i.state, i.started_at, i.finished_at,
       i.files::bigint as files, i.bytes, i.rows_read, i.accepted, i.rejected, i.ignored, i.refused, nullif(i.message, '') as message,
       case when i.state = 'running' then nullif(i.phase, '') end as phase, i.files_done::bigint as files_done, i.bytes_done, i.rows_done, i.progress_at,
       case when i.state = 'running' and i.bytes_done > 0 and i.bytes >= i.bytes_done and i.progress_at > i.phase_since
         then ceil(extract(epoch from i.progress_at - i.phase_since) * (i.bytes - i.bytes_done) / i.bytes_done)::bigint end as eta_seconds,
       r.added as restated_added, r.removed as restated_removed, r.changed as restated_changed
from imports i
left join (
  select d.import_id, sum(x.added)::bigint as added, sum(x.removed)::bigint as removed, sum(x.changed)::bigint as changed
  from deliveries d join restatements x on x.tenant_id = d.tenant_id and x.delivery_id = d.delivery_id
  where d.tenant_id = @tenant
  group by d.import_id
) r on r.import_id = i.import_id
where i.tenant_id = @tenant
