-- Charges as read by allocation and pages.

-- name: charge.billers
select distinct v.account, i.provider
from deliveries d
join delivery_coverage v on v.tenant_id = d.tenant_id and v.delivery_id = d.delivery_id
join charge_items i on i.tenant_id = d.tenant_id and i.delivery = d.number and i.instance_hours
where d.tenant_id = $1 and d.state = 'current'
order by 1, 2

-- name: charge.book_deliveries
select d.delivery_id as id, d.partition_key as billing_period, d.fleet_digest, d.scope
from deliveries d
where d.tenant_id = $1 and d.state = 'current'
  and exists (select from control_totals t where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id
    and t.role = 'book')
order by d.partition_key, d.delivery_id

-- name: charge.book_keys
select distinct t.delivery_id, t.account, t.billing_period, t.currency
from control_totals t
join deliveries d on d.tenant_id = t.tenant_id and d.delivery_id = t.delivery_id and d.state = 'current'
where t.tenant_id = $1 and t.role = 'book'
order by t.delivery_id, t.account, t.billing_period, t.currency

-- name: charge.coverage
select account, covered_until from coverage where tenant_id = $1

-- name: charge.evidence
select account, billing_period, currency, metric, role = 'evidence' as evidence, counts_seconds
from control_totals
where tenant_id = $1 and delivery_id = $2 and (role = 'evidence' or not counts_seconds)

-- name: charge.items
select item, provider, kind, category, coalesce(class, ''), coalesce(service_name, ''), coalesce(service_code, ''),
  coalesce(description, ''), coalesce(usage_type, ''),
  coalesce(operation, ''), coalesce(line_item_type, ''), coalesce(region, ''), coalesce(zone, ''),
  coalesce(instance_type, ''), coalesce(price_class, ''),
  coalesce(commitment_id, ''), coalesce(usage_unit, ''), instance_hours, bills_gpu, marketplace,
  allocated
from charge_items where tenant_id = $1 and delivery = $2

-- name: charge.number
select number from deliveries where tenant_id = $1 and delivery_id = $2 and number is not null

-- name: charge.rates
select rate_id as id, instance_type, region, price_class, currency, hourly, valid_from as from, valid_to as to, source
from rates where tenant_id = $1
order by instance_type, region, price_class, currency, valid_from, rate_id

-- name: charge.resources
select resource, coalesce(resource_id, ''), coalesce(instance_key, ''), coalesce(instance_alias, '')
from charge_resources where tenant_id = $1 and delivery = $2

-- name: charge.scan
select r.charge_id, r.line, r.starts, r.ends, r.scope, r.item, coalesce(r.resource, 0), coalesce(r.tag_set, 0),
  r.effective, r.billed, r.list, r.contracted, r.usage, r.credit, r.instance_seconds, r.exact,
  a.lines, a.line_ranges, a.digest,
  s.parent, s.cluster, s.namespace, s.pod, s.pod_uid, s.resource, s.used, s.unused
from charge_rows r
left join charge_aggregates a on a.tenant_id = r.tenant_id and a.delivery = r.delivery and a.charge_id = r.charge_id
left join charge_splits s on s.tenant_id = r.tenant_id and s.delivery = r.delivery and s.charge_id = r.charge_id
where r.tenant_id = $1 and r.delivery = $2
order by r.charge_id

-- name: charge.scopes
select scope, source_file, billing_account, account, billing_period, currency
from charge_scopes where tenant_id = $1 and delivery = $2

-- name: charge.tags
select tag_set, tags from charge_tags where tenant_id = $1 and delivery = $2

-- name: dirty.create_touched
create temp table touched (node_id uuid, from_at timestamptz, to_at timestamptz, reason text) on commit drop

-- name: dirty.mark_closed
-- For covered hours, closing and reopening only change whether they have a provisional cost.
insert into dirty (tenant_id, node_id, day, mark_id, reason)
select distinct $1::int, p.node_id, date_trunc('day', p.hour, 'UTC'), $2::bigint, 'closed'
from touched t
join parts p on p.tenant_id = $1 and p.node_id = t.node_id and p.hour >= date_trunc('hour', t.from_at, 'UTC')
  and p.hour < t.to_at
where p.kind = 'provisional'
order by 2, 3

-- name: dirty.mark_unbilled
insert into dirty (tenant_id, node_id, day, mark_id, reason)
select $1::int, k.node_id, k.day, $2::bigint, 'price of hours without a bill'
from chunks k
join nodes n on n.tenant_id = k.tenant_id and n.node_id = k.node_id
left join coverage c on c.tenant_id = n.tenant_id and c.account = n.account
where k.tenant_id = $1 and k.day + interval '1 day' > coalesce(c.covered_until, '-infinity')
order by k.node_id, k.day

-- name: rollup.mark_priced
-- The on-demand price of spot hours may come from a price book.
insert into stale_days (tenant_id, day, what)
select $1::int, day, 'ledger' from rolled_days where tenant_id = $1
