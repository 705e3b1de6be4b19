-- Deliveries: found again, staged, numbered, published, superseded.

-- name: bill.analyze_odd
analyze next_odd

-- name: bill.analyze_stage
analyze next_scopes, next_aggregates

-- name: bill.analyze_words
set local default_statistics_target = 20;
analyze charge_scopes, charge_items, charge_resources, charge_tags, charge_details,
  charge_aggregates;
set local default_statistics_target = default

-- name: bill.appended
-- Current deliveries of an append-only export, oldest first, with their row keys.
select d.delivery_id as id, d.aggregated, r.rows, d.delivered_at,
  array(select p.place from delivery_places p where p.tenant_id = d.tenant_id and p.delivery_id = d.delivery_id
    order by p.place_id) as paths,
  array(select p.sha256 from delivery_places p where p.tenant_id = d.tenant_id and p.delivery_id = d.delivery_id
    order by p.place_id) as sums
from deliveries d
left join delivery_rows r on r.tenant_id = d.tenant_id and r.delivery_id = d.delivery_id
where d.tenant_id = $1 and d.source = $2 and d.export = $3 and d.scope = $4 and d.dataset = $5 and d.partition_key = $6
  and d.state = 'current'
order by d.published_at, d.delivery_id

-- name: bill.assign_roles
with placed as (
  select t.delivery_id, t.account, t.billing_period, t.currency, t.metric, d.source, d.scope, d.export,
    dense_rank() over (partition by t.account, t.billing_period, t.currency, t.metric
      order by d.rank desc, d.preference desc) as place
  from control_totals t
  join deliveries d on d.tenant_id = t.tenant_id and d.delivery_id = t.delivery_id and d.state = 'current'
  where t.tenant_id = $1
-- the book whose instance seconds count (docs/rules.md, 8.1): that of effective_cost, else of billed_cost
), counting as (
  select *, max(metric) filter (where place = 1 and metric in ('effective_cost', 'billed_cost'))
    over (partition by account, billing_period, currency) as counts
  from placed
), decided as (
  select delivery_id, account, billing_period, currency, metric,
    case when place = 1 then 'book' else 'evidence' end as role,
    coalesce(bool_or(place = 1 and metric = counts) over (partition by account, billing_period, currency, source, scope,
      export), false) as counts_seconds
  from counting
), moved as (
  update control_totals t set role = n.role, counts_seconds = n.counts_seconds
  from decided n
  where t.tenant_id = $1 and t.delivery_id = n.delivery_id and t.account = n.account
    and t.billing_period = n.billing_period
    and t.currency = n.currency and t.metric = n.metric
    and (t.role <> n.role or t.counts_seconds <> n.counts_seconds)
  returning t.delivery_id
)
update deliveries d set fleet_digest = ''
where d.tenant_id = $1 and d.delivery_id in (select delivery_id from moved)

-- name: bill.attach_table
set local lock_timeout = '60s';
alter table charge_rows attach partition charge_rows_:number for values from (:number) to (:after);
set local lock_timeout = default

-- name: bill.books
-- Price books that bill machines. newest is the latest time of their deliveries that count or counted.
select d.export as name, coalesce(b.document, '') as document, d.newest
from (select export, max(delivered_at) filter (where state <> 'older') as newest
  from deliveries where tenant_id = $1 and source = 'price-book'
  group by export having bool_or(state = 'current')) d
left join lateral (select document from price_books b where b.tenant_id = $1 and b.name = d.export
  order by version desc limit 1) b on true
order by d.export

-- name: bill.compute_coverage
-- An account is covered until its last compute usage, or until the end of the last month that is closed in every
-- billing account that bills it in that month.
with book as (
  select d.number, d.delivery_id from deliveries d where d.tenant_id = $1 and d.state = 'current'
), closed as (
  select s.billing_account, s.name, p.end_at
  from period_states s
  join periods p on p.tenant_id = s.tenant_id and p.calendar = s.calendar and p.name = s.name
  where s.tenant_id = $1 and s.calendar = 'billing' and s.state = 'closed'
), billed as (
  select distinct s.account, s.billing_account, s.billing_period
  from book d
  join charge_scopes s on s.tenant_id = $1 and s.delivery = d.number
  where s.account <> '' and exists (select from closed)
    and exists (select from control_totals t
      where t.tenant_id = $1 and t.delivery_id = d.delivery_id and t.account = s.account and t.role = 'book')
)
insert into next_coverage
select u.account, max(u.covered_until)
from (
  select v.account, v.covered_until
  from book d
  join delivery_coverage v on v.tenant_id = $1 and v.delivery_id = d.delivery_id
  where exists (select from control_totals t
    where t.tenant_id = $1 and t.delivery_id = d.delivery_id and t.account = v.account and t.role = 'book')
  union all
  select b.account, c.end_at
  from (select distinct account, billing_account from billed) b
  join closed c on c.billing_account = b.billing_account
  where not exists (select from billed o
    where o.account = b.account and o.billing_period = c.name
      and not exists (select from closed k where k.billing_account = o.billing_account and k.name = o.billing_period))
) u
group by u.account

-- name: bill.confirm
with old as (select preference from deliveries where tenant_id = $1 and delivery_id = $2)
update deliveries d set delivered_at = greatest(d.delivered_at, $3), preference = $4
from old
where d.tenant_id = $1 and d.delivery_id = $2
returning old.preference <> $4

-- name: bill.copy_aggregates
copy next_aggregates (slot, charge_id, scope, lines, line_ranges, digest) from stdin (format binary)

-- name: bill.copy_details
copy next_details (slot, detail, columns) from stdin (format binary)

-- name: bill.copy_instances
copy next_instances (slot, instance_key, starts, ends, newest_starts, charge_id, scope, item, tag_set, usage_amount,
  effective_cost, instance_seconds) from stdin (format binary)

-- name: bill.copy_items
copy next_items (slot, item, provider, kind, category, class, service_name, service_code, description, usage_type,
  operation, line_item_type,
  region, zone, instance_type, price_class, commitment_id, usage_unit, instance_hours, bills_gpu, marketplace,
  allocated)
  from stdin (format binary)

-- name: bill.copy_resources
copy next_resources (slot, resource, resource_id, instance_key, instance_alias) from stdin (format binary)

-- name: bill.copy_rows
copy next_rows (slot, charge_id, line, starts, ends, scope, item, resource, tag_set,
  effective, billed, list, contracted, usage, credit, instance_seconds, exact, detail, quantities)
  from stdin (format binary)

-- name: bill.copy_scopes
copy next_scopes (slot, scope, source_file, billing_account, account, billing_period, currency)
from stdin (format binary)

-- name: bill.copy_splits
copy next_splits (slot, charge_id, scope, parent, cluster, namespace, pod, pod_uid, resource, used, unused)
from stdin (format binary)

-- name: bill.copy_table
copy charge_rows_:number (charge_id, line, starts, ends, scope, item, resource, tag_set,
  effective, billed, list, contracted, usage, credit, instance_seconds, exact, detail, quantities)
  from stdin (format binary, freeze)

-- name: bill.copy_tags
copy next_tags (slot, tag_set, tags) from stdin (format binary)

-- name: bill.count_restatement
update restatements set added = $4, removed = $5, changed = $6
where tenant_id = $1 and delivery_id = $2 and replaced = $3

-- name: bill.create_changes
create temp table if not exists next_odd (fresh boolean not null, charge_id uuid not null) on commit drop;
create temp table if not exists next_changes (fresh boolean not null, charge_id uuid not null,
    billing_account text not null,
  account text not null, service_name text not null, billing_period text not null, currency text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  alike text[] not null, nth bigint not null) on commit drop;
truncate next_odd, next_changes

-- name: bill.create_coverage
create temp table next_coverage (account text, covered_until timestamptz) on commit drop

-- name: bill.create_stage
create temp table next_scopes (slot int not null, scope int not null,
  source_file text not null, billing_account text not null, account text not null, billing_period text not null,
  currency text not null) on commit drop;
create temp table next_items (slot int not null, item int not null,
  provider text not null, kind text not null, category text not null, class text,
  service_name text, service_code text, description text, usage_type text, operation text, line_item_type text,
  region text, zone text, instance_type text, price_class text, commitment_id text, usage_unit text,
  instance_hours boolean not null, bills_gpu boolean not null, marketplace boolean not null,
  allocated boolean not null) on commit drop;
create temp table next_resources (slot int not null, resource int not null, resource_id text, instance_key text,
    instance_alias text) on commit drop;
create temp table next_tags (slot int not null, tag_set int not null, tags jsonb not null) on commit drop;
create temp table next_details (slot int not null, detail int not null, columns jsonb not null) on commit drop;
create temp table next_rows (slot int not null, charge_id uuid not null, line bigint not null, starts bigint not null,
    ends bigint not null,
  scope int not null, item int not null, resource int, tag_set int,
  effective bigint, billed bigint, list bigint, contracted bigint, usage bigint, credit bigint, instance_seconds bigint,
  exact numeric[], detail int, quantities numeric[]) on commit drop;
create temp table next_aggregates (slot int not null, charge_id uuid not null, scope int not null,
  lines bigint not null, line_ranges bigint[] not null, digest bytea not null) on commit drop;
create temp table next_splits (slot int not null, charge_id uuid not null, scope int not null,
  parent text not null, cluster text not null, namespace text not null, pod text not null, pod_uid text not null,
  resource text not null,
  used numeric, unused numeric) on commit drop;
create temp table next_instances (slot int not null, instance_key text not null,
  starts bigint not null, ends bigint not null, newest_starts bigint not null, charge_id uuid not null,
  scope int not null, item int not null, tag_set int, usage_amount numeric, effective_cost numeric,
  instance_seconds bigint) on commit drop

-- name: bill.create_table
create table charge_rows_:number (like charge_rows including defaults including constraints including storage,
    check (delivery = :number));
alter table charge_rows_:number alter column tenant_id set default :tenant, alter column delivery set default :number

-- name: bill.current
select d.delivery_id, d.digest,
  (select max(o.delivered_at) from deliveries o where o.tenant_id = d.tenant_id and o.lineage = d.lineage
    and o.state <> 'older') as newest,
  d.number, d.export, d.aggregated, d.rows, d.lineage
from deliveries d
where d.tenant_id = $1 and d.source = $2 and d.export = $3 and d.scope = $4 and d.dataset = $5 and d.partition_key = $6
  and d.state = 'current'
for update of d

-- name: bill.current_unnamed
-- A delivery of the unnamed export ($7) belongs to any export in its place, and a named one replaces an unnamed one, if
-- both bill an account.
select d.delivery_id, d.digest,
  (select max(o.delivered_at) from deliveries o where o.tenant_id = d.tenant_id and o.lineage = d.lineage
    and o.state <> 'older') as newest,
  d.number, d.export, d.aggregated, d.rows, d.lineage
from deliveries d
where d.tenant_id = $1 and d.source = $2 and d.scope = $4 and d.dataset = $5 and d.partition_key = $6
  and d.state = 'current' and $7 <> ''
  and ($3 = $7 or d.export = $7)
  and exists (select from control_totals t where t.tenant_id = $1 and t.delivery_id = d.delivery_id
    and t.account = any($8))
order by d.export
for update of d

-- name: bill.delete_coverage
delete from coverage o
where o.tenant_id = $1 and not exists (select from next_coverage n where n.account = o.account)

-- name: bill.drop_table
drop table charge_rows_:number

-- name: bill.equal_rank
-- Two payers may both bill one account in one month, if it moved between them: exports of one source with two scopes do
-- not compete.
with placed as (
  select t.account, t.billing_period, t.currency, t.metric, d.source, d.scope, d.export,
    dense_rank() over (partition by t.account, t.billing_period, t.currency, t.metric
      order by d.rank desc, d.preference desc) as place
  from control_totals t
  join deliveries d on d.tenant_id = t.tenant_id and d.delivery_id = t.delivery_id and d.state = 'current'
  where t.tenant_id = $1
), books as (
  select distinct account, billing_period, currency, metric, source, scope, export from placed where place = 1
)
select account, billing_period, currency, metric, source, min(export) as export, source as other_source,
  max(export) as other_export
from books
group by account, billing_period, currency, metric, source, scope
having count(*) > 1
union all
select account, billing_period, currency, metric, min(source), (array_agg(export order by source, export))[1],
  max(source), (array_agg(export order by source desc, export))[1]
from books
group by account, billing_period, currency, metric
having min(source) <> max(source)
order by 1, 2, 4, 3, 5, 6

-- name: bill.find_changes
with lines as (
  select true as fresh, l.* from next_odd x join charge_lines l on l.tenant_id = $1 and l.delivery = $2
    and l.charge_id = x.charge_id where x.fresh
  union all
  select false, l.* from next_odd x join charge_lines l on l.tenant_id = $1 and l.delivery = $3
    and l.charge_id = x.charge_id where not x.fresh
)
insert into next_changes
select fresh, charge_id, billing_account, account, coalesce(service_name, ''), billing_period, currency, effective_cost,
  billed_cost, list_cost, contracted_cost, alike,
  row_number() over (partition by fresh, alike order by charge_id)
from lines cross join lateral (select array[line_item_type, account, resource_id, usage_type, charge_start::text,
    charge_end::text]) k(alike)

-- name: bill.find_odd
insert into next_odd
select n.charge_id is not null, coalesce(n.charge_id, o.charge_id)
from (select charge_id from :fresh) n
full join (select charge_id from :old) o on o.charge_id = n.charge_id
where n.charge_id is null or o.charge_id is null

-- name: bill.forget_deltas
delete from restatement_deltas where tenant_id = $1 and delivery_id = $2 and replaced = $3

-- name: bill.index_table
set local maintenance_work_mem = '192MB';
set local default_statistics_target = 20;
create unique index charge_rows_:number_id on charge_rows_:number (charge_id);
analyze charge_rows_:number (charge_id, scope, item, resource, tag_set, detail, starts, ends);
set local maintenance_work_mem = default;
set local default_statistics_target = default

-- name: bill.insert_aggregates
insert into charge_aggregates (tenant_id, delivery, charge_id, scope, lines, line_ranges, digest)
select $1, $2, charge_id, scope, lines, line_ranges, digest
from next_aggregates where slot = $3

-- name: bill.insert_details
insert into charge_details (tenant_id, delivery, detail, columns)
select $1, $2, detail, columns
from next_details where slot = $3

-- name: bill.insert_instances
insert into charge_instances (tenant_id, delivery, instance_key, starts, ends, newest_starts, charge_id, scope, item,
    tag_set, usage_amount, effective_cost, instance_seconds)
select distinct on (instance_key) $1, $2, instance_key, min(starts) over machine, max(ends) over machine,
  newest_starts, charge_id, scope, item, tag_set, usage_amount, sum(effective_cost) over newest,
  sum(instance_seconds) over newest
from next_instances where slot = $3
window machine as (partition by instance_key), newest as (partition by instance_key, ends, newest_starts)
order by instance_key, ends desc, newest_starts desc, instance_seconds is null, charge_id

-- name: bill.insert_items
insert into charge_items (tenant_id, delivery, item, provider, kind, category, class, service_name, service_code,
    description, usage_type, operation, line_item_type,
  region, zone, instance_type, price_class, commitment_id, usage_unit, instance_hours, bills_gpu, marketplace,
  allocated)
select $1, $2, item, provider, kind, category, class, service_name, service_code, description, usage_type, operation,
  line_item_type,
  region, zone, instance_type, price_class, commitment_id, usage_unit, instance_hours, bills_gpu, marketplace,
  allocated
from next_items where slot = $3

-- name: bill.insert_resources
insert into charge_resources (tenant_id, delivery, resource, resource_id, instance_key, instance_alias)
select $1, $2, resource, resource_id, instance_key, instance_alias
from next_resources where slot = $3

-- name: bill.insert_rows
insert into charge_rows_small (tenant_id, delivery, charge_id, line, starts, ends, scope, item, resource, tag_set,
  effective, billed, list, contracted, usage, credit, instance_seconds, exact, detail, quantities)
select $1, $2, charge_id, line, starts, ends, scope, item, resource, tag_set,
  effective, billed, list, contracted, usage, credit, instance_seconds, exact, detail, quantities
from next_rows where slot = $3

-- name: bill.insert_scopes
insert into charge_scopes (tenant_id, delivery, scope, source_file, billing_account, account, billing_period, currency)
select $1, $2, scope, source_file, billing_account, account, billing_period, currency
from next_scopes where slot = $3

-- name: bill.insert_splits
insert into charge_splits (tenant_id, delivery, charge_id, scope, parent, cluster, namespace, pod, pod_uid, resource,
    used, unused)
select $1, $2, charge_id, scope, parent, cluster, namespace, pod, pod_uid, resource, used, unused
from next_splits where slot = $3

-- name: bill.insert_tags
insert into charge_tags (tenant_id, delivery, tag_set, tags)
select $1, $2, tag_set, tags
from next_tags where slot = $3

-- name: bill.known
select number from deliveries where tenant_id = $1 and delivery_id = $2

-- name: bill.keep_book
insert into price_books (tenant_id, name, version, document, delivered_at, import_id, stored_at)
select $1, $2, coalesce(n.version, 0) + 1, $3, $4, $5, $6
from (values (1)) one(x)
left join lateral (select version, document, delivered_at from price_books b where b.tenant_id = $1 and b.name = $2
  order by version desc limit 1) n on true
where n.document is distinct from $3::text
  and (n.delivered_at is null or $4::timestamptz is null or n.delivered_at <= $4)

-- name: bill.large_number
select nextval('large_delivery_numbers')::int

-- name: bill.move_rows
insert into charge_rows_:number (charge_id, line, starts, ends, scope, item, resource, tag_set,
  effective, billed, list, contracted, usage, credit, instance_seconds, exact, detail, quantities)
select charge_id, line, starts, ends, scope, item, resource, tag_set,
  effective, billed, list, contracted, usage, credit, instance_seconds, exact, detail, quantities
from next_rows where slot = $1

-- name: bill.places
-- The file last read at each place of a bill.
select place, sha256, delivery_id from delivery_places where tenant_id = $1 and lineage = $2

-- name: bill.put_appended
insert into delivery_rows (tenant_id, delivery_id, rows) values ($1, $2, $3)
on conflict (tenant_id, delivery_id) do nothing

-- name: bill.put_coverage
insert into delivery_coverage (tenant_id, delivery_id, account, covered_until)
values ($1, $2, $3, $4)
on conflict do nothing

-- name: bill.put_delivery
insert into deliveries (tenant_id, delivery_id, import_id, source, export, scope, dataset, partition_key, kind, rank,
    preference, aggregated,
  delivered_at, execution_id, digest, rows, columns, state, published_at, number)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, nullif($14, ''), $15, $16, $17, $18, $19, $20)
on conflict (tenant_id, delivery_id) do update
set import_id = excluded.import_id, delivered_at = excluded.delivered_at, preference = excluded.preference,
  state = excluded.state, superseded_by = null,
  published_at = excluded.published_at, number = excluded.number
where excluded.state = 'current' or deliveries.number is null

-- name: bill.put_file
insert into delivery_files (tenant_id, delivery_id, name, sha256, bytes, rows)
values ($1, $2, $3, $4, $5, $6)
on conflict (tenant_id, delivery_id, name) do update set sha256 = excluded.sha256, bytes = excluded.bytes,
  rows = excluded.rows

-- name: bill.put_place
insert into delivery_places (tenant_id, lineage, place, sha256, delivery_id)
select d.tenant_id, d.lineage, $3, $4, d.delivery_id from deliveries d where d.tenant_id = $1 and d.delivery_id = $2
on conflict (tenant_id, lineage, place_id) do update set sha256 = excluded.sha256, delivery_id = excluded.delivery_id

-- name: bill.put_restatement
insert into restatements (tenant_id, delivery_id, replaced, added, removed, changed, restated_at)
values ($1, $2, $3, 0, 0, 0, $4)
on conflict (tenant_id, delivery_id, replaced) do update set restated_at = excluded.restated_at

-- name: bill.put_total
insert into control_totals (tenant_id, delivery_id, account, billing_period, currency, metric, source_total, charges)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (tenant_id, delivery_id, account, billing_period, currency, metric) do nothing

-- name: bill.save_coverage
insert into coverage (tenant_id, account, covered_until)
select $1, account, covered_until from next_coverage
on conflict (tenant_id, account) do update set covered_until = excluded.covered_until
where coverage.covered_until <> excluded.covered_until

-- name: bill.small_number
select nextval('small_delivery_numbers')::int

-- name: bill.stage_totals
select s.account, s.billing_period, s.currency, sum(t.charges)::bigint, sum(t.charges + coalesce(a.more, 0))::bigint,
  coalesce(sum(t.effective) * 0.000000000001 + coalesce(sum(t.exact_effective), 0), sum(t.exact_effective)),
  coalesce(sum(t.billed) * 0.000000000001 + coalesce(sum(t.exact_billed), 0), sum(t.exact_billed)),
  coalesce(sum(t.list) * 0.000000000001 + coalesce(sum(t.exact_list), 0), sum(t.exact_list)),
  coalesce(sum(t.contracted) * 0.000000000001 + coalesce(sum(t.exact_contracted), 0), sum(t.exact_contracted))
from (
  select scope, count(*) as charges, sum(effective) as effective, sum(billed) as billed, sum(list) as list,
    sum(contracted) as contracted,
    sum(exact[1]) as exact_effective, sum(exact[2]) as exact_billed, sum(exact[3]) as exact_list,
    sum(exact[4]) as exact_contracted
  from :rows group by scope
) t
join next_scopes s on s.slot = $1 and s.scope = t.scope
left join (select scope, sum(lines - 1) as more from next_aggregates where slot = $1 group by scope) a
    on a.scope = t.scope
group by s.account, s.billing_period, s.currency

-- name: bill.stored_before
-- Whether an export had the bill of an account's month before this import.
select exists (
  select from deliveries d
  join control_totals t on t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id and t.account = $4
    and t.billing_period = $5
  where d.tenant_id = $1 and d.source = $2 and d.export = $3 and d.state <> 'older' and d.import_id <> $6
)

-- name: bill.sum_changes
with pairs as (
  select f.charge_id as added, g.charge_id as removed,
    coalesce(f.account, g.account) as account, coalesce(f.service_name, g.service_name) as service_name,
    coalesce(f.billing_period, g.billing_period) as billing_period, coalesce(f.currency, g.currency) as currency
  from (select * from next_changes where fresh) f
  full join (select * from next_changes where not fresh) g on g.alike = f.alike and g.nth = f.nth
), counts as (
  select account, service_name, billing_period, currency,
    count(*) filter (where removed is null) as added, count(*) filter (where added is null) as removed,
    count(*) filter (where added is not null and removed is not null) as changed
  from pairs group by 1, 2, 3, 4
), moves as (
  select account, service_name, billing_period, currency,
    sum(case when fresh then effective_cost else -effective_cost end) as effective_cost,
    sum(case when fresh then billed_cost else -billed_cost end) as billed_cost,
    sum(case when fresh then list_cost else -list_cost end) as list_cost,
    sum(case when fresh then contracted_cost else -contracted_cost end) as contracted_cost
  from next_changes group by 1, 2, 3, 4
)
insert into restatement_deltas (tenant_id, delivery_id, replaced, account, service_name, billing_period, currency,
    added, removed, changed,
  effective_cost, billed_cost, list_cost, contracted_cost)
select $1, $2, $3, account, service_name, billing_period, currency, coalesce(c.added, 0), coalesce(c.removed, 0),
  coalesce(c.changed, 0),
  coalesce(m.effective_cost, 0), coalesce(m.billed_cost, 0), coalesce(m.list_cost, 0), coalesce(m.contracted_cost, 0)
from counts c full join moves m using (account, service_name, billing_period, currency)
returning account, service_name, billing_period, currency, added, removed, changed, effective_cost, billed_cost,
  list_cost, contracted_cost

-- name: bill.supersede
update deliveries set state = 'superseded', superseded_by = $3 where tenant_id = $1 and delivery_id = $2

-- name: bill.touch_coverage
with moved as (
  select coalesce(o.account, n.account) as account, o.covered_until as old, n.covered_until as new
  from (select account, covered_until from coverage where tenant_id = $1) o
  full join next_coverage n on n.account = o.account
  where o.covered_until is distinct from n.covered_until
)
insert into touched
select n.node_id, greatest(n.appeared_at, least(m.old, m.new)), least(n.gone_at, greatest(m.old, m.new)), 'covered'
from (select account, coalesce(old, '-infinity') as old, coalesce(new, '-infinity') as new from moved) m
join nodes n on n.tenant_id = $1 and (n.account = m.account or n.account is null)
where n.appeared_at < greatest(m.old, m.new) and n.gone_at > least(m.old, m.new)
