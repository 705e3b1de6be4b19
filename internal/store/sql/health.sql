-- The state of the service.

-- name: report.health
-- Pending work: node-days to allocate, imports without an end, recently refused imports.
select (select count(*) from (select distinct node_id, day from dirty where tenant_id = $1) d) as dirty_days,
       (select count(*) from imports where tenant_id = $1 and state = 'running') as running,
       (select count(*) from (select state from imports where tenant_id = $1 order by started_at desc limit 20) i
         where state = 'refused') as refused

-- name: report.nothing
-- Whether no data has arrived yet, by an import or live.
select not exists (select from imports where tenant_id = $1)
  and not exists (select from node_facts where tenant_id = $1)
  and not exists (select from workload_facts where tenant_id = $1)
    and not exists (select from inbox where tenant_id = $1)

-- name: report.server
select current_setting('server_version')

-- name: report.waiting
-- Deliveries of the book that are not cut yet, and imports published after the last allocation began.
select (select count(*) from deliveries d where d.tenant_id = $1 and d.state = 'current' and d.fleet_digest = ''
          and exists (select from control_totals t where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id
            and t.role = 'book')) as uncut,
       (select count(*) from imports i where i.tenant_id = $1 and i.state = 'published'
          and i.finished_at > coalesce((select max(c.started_at) from calculations c where c.tenant_id = $1),
              '-infinity')) as newer
