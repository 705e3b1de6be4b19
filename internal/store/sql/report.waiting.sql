-- Deliveries of the book that are not cut yet, and imports that were published after the last allocation began.
select (select count(*) from deliveries d where d.tenant_id = $1 and d.state = 'current' and d.fleet_digest = ''
          and exists (select from control_totals t where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id and t.role = 'book')),
       (select count(*) from imports i where i.tenant_id = $1 and i.state = 'published'
          and i.finished_at > coalesce((select max(c.started_at) from calculations c where c.tenant_id = $1), '-infinity'))
