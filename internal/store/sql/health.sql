-- The state of the service.

-- name: report.health
-- Pending work: node-days to allocate, days to add up again, imports without an end, recently refused imports.
select (select count(*) from (select distinct node_id, day from dirty where tenant_id = $1) d) as dirty_days,
       (select count(distinct day) from stale_days where tenant_id = $1) as stale_days,
       (select count(*) from imports where tenant_id = $1 and state = 'running') as running,
       (select count(*) from (select state from imports where tenant_id = $1 order by started_at desc limit 20) i
         where state = 'refused') as refused

-- name: report.last_allocation
-- When the newest finished allocation ended; NULL without one.
select max(finished_at) from calculations where tenant_id = $1

-- name: report.nothing
-- Whether no data has arrived yet, by an import or live.
select not exists (select from imports where tenant_id = $1)
  and not exists (select from node_facts where tenant_id = $1)
  and not exists (select from workload_facts where tenant_id = $1)
    and not exists (select from inbox where tenant_id = $1)

-- name: report.open_months
-- Billing months of which some account is not closed, by the terms of their postings.
select distinct t.billing_period
from (select distinct billing_account, billing_period from posting_terms where tenant_id = $1) t
where t.billing_account is not null and t.billing_period is not null
  and not exists (select from period_states s where s.tenant_id = $1 and s.calendar = 'billing'
    and s.name = t.billing_period and s.billing_account = t.billing_account and s.state = 'closed')
order by 1

-- name: report.refusals
-- Addresses by source, and those whose newest import that ended was refused, of imports since $2.
select i.source, count(*) as places, count(*) filter (where i.state = 'refused') as refused
from (
  select distinct on (source, uri, cluster) source, state from imports
  where tenant_id = $1 and started_at >= $2 and state <> 'running'
  order by source, uri, cluster, started_at desc
) i
group by i.source
order by i.source

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
