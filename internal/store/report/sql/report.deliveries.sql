-- Drops of billing exports.
select d.delivery_id, d.import_id, d.source, d.export, nullif(d.scope, '') as scope, nullif(d.dataset, '') as dataset,
       d.partition_key as partition, d.kind, d.state,
       coalesce((select min(t.role) from control_totals t where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id), 'book') as role,
       d.delivered_at, d.published_at,
       (select count(*) from delivery_files f where f.tenant_id = d.tenant_id and f.delivery_id = d.delivery_id) as files,
       d.rows, d.superseded_by
from deliveries d
where d.tenant_id = @tenant
