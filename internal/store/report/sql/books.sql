-- Bills, deliveries, periods, statements and the records behind them.

-- name: report.stored_annotations
-- Annotations that were imported or written.
select a.annotation_id, a.at, a.until, a.kind, nullif(a.key, '') as key, nullif(a.value, '') as value, a.text,
  nullif(a.source, '') as source, nullif(a.link, '') as link, a.stored_at, a.stored_by
from annotations a
where a.tenant_id = @tenant and a.at < @to and (a.at >= @from or a.until > @from)

-- name: report.rates
-- Prices of price books, in which 31 December 9999 is no end.
select r.rate_id, r.instance_type, nullif(r.region, '') as region, r.price_class, r.hourly as price, r.currency,
  nullif(r.valid_from, '-infinity') as valid_from,
  nullif(nullif(r.valid_to, 'infinity'), '9999-12-31T00:00:00Z') as valid_to, r.source
from rates r
where r.tenant_id = @tenant

-- name: report.audit
-- The audit log.
select a.number, a.at, a.actor, a.action, a.subject, a.detail, encode(a.hash, 'hex') as hash
from audit_log a
where a.tenant_id = @tenant

-- name: report.export_schedules
-- Schedules of exports, each with its newest run.
select s.name, s.dataset, nullif(s.options, '') as options, s.format, s.for_excel, s.target, s.every,
  s.months::bigint as months, nullif(s.keep, 0)::bigint as keep, s.changed_at, s.changed_by, r.tick as last_run,
  r.state as last_state, nullif(r.error, '') as last_error, r.ended_at as last_ended_at, r.tries::bigint as last_tries,
  s.done as last_done
from export_schedules s
left join lateral (
  select * from export_runs r where r.tenant_id = s.tenant_id and r.name = s.name order by r.tick desc limit 1
) r on true
where s.tenant_id = @tenant

-- name: report.export_runs
-- Scheduled times of exports.
select r.name, r.tick, r.state, nullif(r.error, '') as error, r.tries::bigint as tries, r.started_at, r.ended_at,
  r.written, r.kept, r.removed, r.rows, r.bytes
from export_runs r
where r.tenant_id = @tenant

-- name: report.budget_versions
-- All versions of budgets: of people, and of labels. A label's budget counts if it has a currency and no person has set
-- one for the same owner's life (docs/figures.md 26.6).
with stored as (
  select b.*, b.version = max(b.version) over (partition by b.budget_id) as newest
  from budgets b where b.tenant_id = @tenant
), labels as (
@texts_of_limits
)
select b.budget_id, b.name, b.key, nullif(b.value, '') as value, b.unit, b.currency, b.period, b.starts as period_start,
  b.ends as period_end, b.version::bigint as version, b.amount, 'person' as source, null::timestamptz as labelled_from,
  null::timestamptz as labelled_until, b.parent, b.newest, b.changed_at, b.changed_by, nullif(b.reason, '') as reason,
  (select format('label cost-budget-limit of %s says %s; this budget counts', l.workload,
     concat_ws(' ', l.amount, l.currency))
   from labels l
   where l.standing = 'newest' and l.key = b.key and l.value = b.value and b.newest and b.period = 'life'
     and b.unit = 'money') as note
from stored b
union all
select l.budget_id, l.name, l.key, l.value, 'money', l.currency, 'life', null, null, l.version::bigint, l.amount,
  'label', min(l.first_seen) over budget, max(l.last_seen) over budget, null,
  l.standing = 'newest' and l.replaced_by is null and l.currency is not null, l.first_seen, 'label',
  concat_ws(' ', 'cost-budget-limit of', l.workload, 'and ' || nullif(l.workloads - 1, 0) || ' more'),
  nullif(concat_ws('; ', 'at the same time other workloads say ' || nullif(l.others, ''),
    l.replaced_by || ' counts instead',
    (select 'its currency is not known before its cluster has a cost' where l.currency is null)), '')
from labels l
where l.key <> ''
window budget as (partition by l.budget_id)

-- name: report.changes
-- Changes that wait, or waited, for a second person. A change that was not decided in time has expired.
select c.change_id, c.kind, c.subject, case when c.state = 'waiting'
       and c.expires_at <= now() then 'expired' else c.state end as state,
       c.asked_by, c.asked_as, c.asked_at, c.expires_at, c.asked::jsonb ->> 'reason' as reason,
       c.decided_by, c.decided_at, c.note, c.asked, encode(c.digest, 'hex') as digest
from changes c
where c.tenant_id = @tenant

-- name: report.charges
-- Bill lines of current deliveries. offset 0: each delivery is looked up by number, so that replaced ones are not
-- read.
select c.charge_id, d.delivery_id, c.source_file, c.line, c.provider, c.billing_account, c.account,
       nullif(c.resource_id, '') as resource_id, nullif(c.service_name, '') as service_name,
       c.category as charge_category, nullif(c.class, '') as charge_class,
       c.charge_start as charge_period_start, c.charge_end as charge_period_end, c.billing_period, c.currency,
       c.effective_cost, c.billed_cost, c.list_cost, c.contracted_cost,
       coalesce(r.role, 'book') as role,
       case when s.state = 'closed' then 'final' else 'open' end as state,
       c.kind, nullif(c.line_item_type, '') as line_item_type, nullif(c.usage_type, '') as usage_type,
       nullif(c.operation, '') as operation, nullif(c.description, '') as description,
       nullif(c.region, '') as region, nullif(c.zone, '') as zone, nullif(c.instance_type, '') as instance_type,
       nullif(c.price_class, '') as pricing, nullif(c.commitment_id, '') as commitment,
       c.usage_amount, nullif(c.usage_unit, '') as usage_unit,
       nullif(c.instance_key, '') as instance, c.instance_seconds, c.lines,
       case when c.line_ranges is not null then (
         select string_agg(c.line_ranges[n]::text || case when c.line_ranges[n] = c.line_ranges[n + 1] then ''
             else '-' || c.line_ranges[n + 1] end, ' ' order by n)
         from generate_series(1, cardinality(c.line_ranges), 2) n) end as line_ranges
from deliveries d
cross join lateral (
  select * from charge_lines l
  where l.tenant_id = @tenant and l.delivery = d.number
    and (@from = '-infinity' or l.charge_start >= @from) and (@to = 'infinity' or l.charge_start < @to)
    and (@billing_period is null or l.billing_period = @billing_period) @shown[l.charge_id]
  offset 0
) c
left join (
  select t.delivery_id, t.account, t.billing_period, t.currency,
    case when bool_or(t.role = 'book') then 'book' else 'evidence' end as role
  from control_totals t where t.tenant_id = @tenant
  group by t.delivery_id, t.account, t.billing_period, t.currency
) r on r.delivery_id = d.delivery_id and r.account = c.account and r.billing_period = c.billing_period
  and r.currency = c.currency
left join period_states s on s.tenant_id = @tenant and s.calendar = 'billing' and s.name = c.billing_period
  and s.billing_account = c.billing_account
where d.tenant_id = @tenant and d.state = 'current'

-- name: report.conflicts
-- Values that lost against others, with the value that is kept. Machines under one name stay separate facts, so they
-- are compared as stored.
select c.what, c.cluster, c.subject, nullif(concat_ws('/', nullif(w.namespace, ''), w.name), '') as name,
       case c.what when 'workload_node' then w.node when 'workload_owner' then w.owner_kind || '/' || w.owner_name
         else (select max(d.node) from devices d where d.tenant_id = @tenant and d.cluster = c.cluster
           and d.device = c.subject and d.node > c.value
           and d.first_hour <= c.last_hour and d.last_hour >= c.first_hour) end as kept,
       c.value as other,
       coalesce(c.first_hour, least(w.created_at, w.first_seen)) as first_seen,
       coalesce(c.last_hour + interval '1 hour', greatest(w.completed_at, w.last_seen)) as last_seen,
       null as currency, null::numeric as may_be_double
from fact_conflicts c
left join workload_facts w on w.tenant_id = @tenant and w.cluster = c.cluster and w.uid = c.subject
  and c.what in ('workload_node', 'workload_owner')
where c.tenant_id = @tenant
union all
select 'node_machine', a.cluster, a.name, null, a.provider_id, b.provider_id, greatest(a.first_seen, b.first_seen),
  least(a.last_seen, b.last_seen), null, null
from node_facts a
join node_facts b on b.tenant_id = @tenant and b.cluster = a.cluster and b.name = a.name
  and b.instance_id < a.instance_id and b.instance_id <> ''
where a.tenant_id = @tenant and a.first_seen <= b.last_seen and b.first_seen <= a.last_seen
union all
select d.what, d.other_cluster, d.other_name, null, concat_ws('/', nullif(d.cluster, ''), d.name),
       concat_ws('/', nullif(d.other_cluster, ''), d.other_name),
       d.from_at, d.to_at, nullif(d.currency, ''), d.cost
from machine_doubles d
where d.tenant_id = @tenant

-- name: report.deliveries
-- Drops of billing exports.
select d.delivery_id, d.import_id, d.source, d.export, nullif(d.scope, '') as scope, nullif(d.dataset, '') as dataset,
       d.partition_key as partition, d.kind, d.state,
       coalesce((select min(t.role) from control_totals t where t.tenant_id = d.tenant_id
         and t.delivery_id = d.delivery_id), 'book') as role,
       d.delivered_at, d.published_at,
       (select count(*) from delivery_files f where f.tenant_id = d.tenant_id
         and f.delivery_id = d.delivery_id) as files,
       d.rows, d.superseded_by
from deliveries d
where d.tenant_id = @tenant

-- name: report.freshness
-- Age of the newest data of each source, relative to the newest of all sources.
with newest as materialized (
  select 'bill' as kind, d.source, nullif(d.scope, '') as scope, max(coalesce(i.ends, d.delivered_at)) as newest_at,
    max(d.published_at) as imported_at
  from deliveries d
  left join lateral (select to_timestamp(max(c.ends)) as ends from charge_instances c
      where c.tenant_id = d.tenant_id and c.delivery = d.number) i on true
  where d.tenant_id = @tenant and d.state = 'current'
  group by 1, 2, 3
  union all
  select 'placements', 'cluster', h.cluster, max(h.hour + floor(log(2, h.minutes::numeric)) * interval '1 minute'), null
  from source_hours h
  where h.tenant_id = @tenant and h.minutes > 0 and h.source <> 'exporter'
  group by h.cluster
  union all
  select 'devices', 'exporter', d.cluster, max(d.last_at), null from devices d where d.tenant_id = @tenant
  group by d.cluster
  union all
  select 'workloads', coalesce(nullif(f.system, ''), 'kubernetes'), f.cluster, max(f.last_seen), null
  from workload_facts f where f.tenant_id = @tenant group by f.system, f.cluster
  union all
  select 'events', e.provider, nullif(e.account, ''), max(e.at), null from instance_events e where e.tenant_id = @tenant
  group by e.provider, e.account
)
select n.kind, n.source, n.scope, n.newest_at, n.imported_at, x.end_at,
       greatest(0, extract(epoch from x.end_at - n.newest_at))::bigint as behind_seconds
from newest n
cross join (select max(newest_at) as end_at from newest) x

-- name: report.import_counts
-- Rows that did not become facts, by reason.
select c.import_id, i.source, c.kind, c.reason, c.rows
from import_counts c
join imports i on i.tenant_id = c.tenant_id and i.import_id = c.import_id
where c.tenant_id = @tenant

-- name: report.imports
-- The journal of imports, with what their deliveries restated.
select i.import_id, i.source, i.uri, nullif(i.cluster, '') as cluster, i.state, i.started_at, i.finished_at,
       i.files::bigint as files, i.bytes, i.rows_read, i.accepted, i.rejected, i.ignored, i.refused,
       nullif(i.message, '') as message,
       case when i.state = 'running' then nullif(i.phase, '') end as phase, i.files_done::bigint as files_done,
         i.bytes_done, i.rows_done, i.progress_at,
       case when i.state = 'running' and i.bytes_done > 0 and i.bytes >= i.bytes_done and i.progress_at > i.phase_since
         then ceil(extract(epoch from i.progress_at - i.phase_since) * (i.bytes - i.bytes_done)
           / i.bytes_done)::bigint end as eta_seconds,
       r.added as restated_added, r.removed as restated_removed, r.changed as restated_changed
from imports i
left join (
  select d.import_id, sum(x.added)::bigint as added, sum(x.removed)::bigint as removed,
    sum(x.changed)::bigint as changed
  from deliveries d join restatements x on x.tenant_id = d.tenant_id and x.delivery_id = d.delivery_id
  where d.tenant_id = @tenant
  group by d.import_id
) r on r.import_id = i.import_id
where i.tenant_id = @tenant

-- name: report.periods
-- Billing months by payer. Costs are those of parts: postings of the month, and later months' postings of its
-- charges.
with sums as (
  select p.billing_account, p.billing_period, nullif(p.charge_period, p.billing_period) as charge_period, p.currency,
         sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost,
         sum(p.contracted_cost) as contracted_cost
  from parts p
  where p.tenant_id = @tenant and p.billing_account is not null and p.billing_period is not null
  group by 1, 2, 3, 4
), own as (
  select billing_account, billing_period, currency, sum(effective_cost) as effective_cost,
    sum(billed_cost) as billed_cost, sum(list_cost) as list_cost, sum(contracted_cost) as contracted_cost
  from sums
  group by 1, 2, 3
), later as (
  select billing_account, charge_period as billing_period, currency, sum(effective_cost) as effective_cost,
    sum(billed_cost) as billed_cost
  from sums
  where charge_period is not null
  group by 1, 2, 3
)
select o.billing_account, o.billing_period, coalesce(s.state, 'open') as state, t.version,
       encode(t.digest, 'hex') as digest, t.closed_at, t.closed_by, t.reopened_at,
       o.currency, o.effective_cost, o.billed_cost, o.list_cost, o.contracted_cost,
       l.effective_cost as adjustments_effective_cost, l.billed_cost as adjustments_billed_cost, h.late_hours
from own o
left join period_states s on s.tenant_id = @tenant and s.calendar = 'billing' and s.name = o.billing_period
  and s.billing_account = o.billing_account
left join later l on l.billing_account = o.billing_account and l.billing_period = o.billing_period
  and l.currency = o.currency
left join lateral (
  select x.version, x.digest, x.closed_at, x.closed_by, x.reopened_at from statements x
  where x.tenant_id = @tenant and x.billing_account = o.billing_account and x.billing_period = o.billing_period
  order by x.version desc limit 1
) t on true
left join (
  select f.billing_account, f.billing_period, count(*) as late_hours from frozen_hours f
  where f.tenant_id = @tenant and f.late_rows > 0 group by 1, 2
) h on h.billing_account = o.billing_account and h.billing_period = o.billing_period
where @billing_period is null or o.billing_period = @billing_period

-- name: report.texts_of_limits
-- Texts of labels that limit cost, for report.limit_labels and report.budget_versions. Labels name no currency: it is
-- that of the cluster's cost, else the only one of the ledger.
select l.budget_id, l.version, l.label, l.standing, l.name, l.key, l.value, l.text, l.amount, l.others, l.cluster,
  l.workload, l.workloads, l.first_seen, l.last_seen, coalesce(c.currency, o.currency) as currency, p.replaced_by
from limit_labels l
left join cluster_currencies c on c.tenant_id = @tenant and c.cluster = l.cluster and l.cluster <> ''
left join (
  select min(t.currency) as currency from posting_terms t where t.tenant_id = @tenant
  having min(t.currency) = max(t.currency)
) o on true
left join lateral (
  select string_agg(b.name, ', ' order by b.name) as replaced_by
  from budgets b
  where b.tenant_id = @tenant and b.key = l.key and b.value = l.value and b.period = 'life' and b.unit = 'money'
    and not exists (select from budgets n where n.tenant_id = @tenant and n.budget_id = b.budget_id
      and n.version > b.version)
) p on true
where l.tenant_id = @tenant

-- name: report.limit_labels
select l.label, l.standing, nullif(l.name, '') as budget, nullif(l.key, '') as key, nullif(l.value, '') as value,
  l.version::bigint as version, l.text, l.amount, l.currency, l.replaced_by, nullif(l.others, '') as others,
  nullif(l.cluster, '') as cluster, nullif(l.workload, '') as workload, l.workloads::bigint as workloads, l.first_seen,
  l.last_seen
from (
@texts_of_limits
) l

-- name: report.mappings
select name, version::bigint as version,
       case when version = max(version) over (partition by name, valid_from) then 'holds' else 'replaced' end as status,
       nullif(valid_from, '-infinity') as valid_from, nullif(note, '') as note, nullif(reason, '') as reason, changed_at,
       changed_by, document
from mappings where tenant_id = @tenant

-- name: report.policies
-- Versions of the policy with their time in force, the standard first unless a version holds for all time. Documents
-- that only add exchange rates are not a version that others follow.
select v.version, nullif(v.valid_from, '-infinity') as valid_from,
       case when not v.only_rates then lead(v.valid_from) over (partition by v.withdrawn_at is null, v.only_rates
           order by v.valid_from, v.standard desc) end as valid_to,
       case when v.withdrawn_at is null then 'holds' else 'withdrawn' end as status,
       v.note, v.created_at, v.created_by, v.withdrawn_at, v.document
from (
  select version, valid_from, note, created_at, created_by, withdrawn_at, document, only_rates, false as standard
  from policy_versions where tenant_id = @tenant
  union all
  select 'default-1', '-infinity', 'The standard, as docs/rules.md describes it.', null, null, null, null, false, true
  where not exists (select from policy_versions where tenant_id = @tenant and valid_from = '-infinity'
    and withdrawn_at is null and not only_rates)
) v

-- name: report.posted_lines
-- Postings of bill lines by hour, for fact posted. Postings are summed per part first, since parts know the delivery;
-- tomorrow that may be another delivery of the same lineage. The lines of those parts are joined afterwards: starting
-- from all lines of a delivery would join each line with all of its parts. Fees that amortise in later hours add up to
-- zero, in the months of these (docs/rules.md 13.3), so they do not hold the state of the bill's month.
with booked as materialized (
  select p.*, b.delivery_id, b.charge_id, b.number
  from (
    select q.hour, q.part_id, coalesce(max(q.state) filter (where q.kind <> 'amortise'), 'final') as state,
           sum(q.effective_cost) as effective_cost, sum(q.billed_cost) as billed_cost,
           sum(q.list_cost) as list_cost, sum(q.contracted_cost) as contracted_cost
    from postings q where q.tenant_id = @tenant and q.charge_id is not null and q.hour >= @from and q.hour < @to
    group by q.hour, q.part_id
  ) p
  join parts b on b.tenant_id = @tenant and b.hour >= @from and b.hour < @to and b.hour = p.hour
    and b.part_id = p.part_id
)
select b.hour, d.lineage, s.account, s.billing_period, s.currency, b.state, b.effective_cost, b.billed_cost,
       b.list_cost, b.contracted_cost,
       coalesce(a.lines, 1) * (b.number = 0)::int as lines
from booked b
join deliveries d on d.tenant_id = @tenant and d.delivery_id = b.delivery_id
join charge_rows r on r.tenant_id = @tenant and r.delivery = d.number and r.charge_id = b.charge_id
join charge_scopes s on s.tenant_id = @tenant and s.delivery = d.number and s.scope = r.scope
left join charge_aggregates a on a.tenant_id = @tenant and a.delivery = d.number and a.charge_id = b.charge_id

-- name: report.reconciliation
-- Control totals of current deliveries against the postings of their charges. Charges are counted by scope and item,
-- which are few.
with posted as (
  select p.lineage, p.account, p.billing_period, p.currency, max(p.state) as state, sum(p.lines) as lines,
         sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost,
         sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost
  from (
@posted_rows
  ) p
  group by p.lineage, p.account, p.billing_period, p.currency
), delivered as (
  select d.delivery_id, d.lineage, s.account, s.billing_period, s.currency, min(i.provider) as provider,
         min(s.billing_account) as billing_account,
         sum(c.lines) filter (where i.kind <> 'split') as lines
  from deliveries d
  cross join lateral (
    select r.scope, r.item, sum(coalesce(a.lines, 1)) as lines
    from charge_rows r
    left join charge_aggregates a on a.tenant_id = @tenant and a.delivery = d.number and a.charge_id = r.charge_id
    where r.tenant_id = @tenant and r.delivery = d.number
    group by r.scope, r.item
  ) c
  join charge_scopes s on s.tenant_id = @tenant and s.delivery = d.number and s.scope = c.scope
  join charge_items i on i.tenant_id = @tenant and i.delivery = d.number and i.item = c.item
  where d.tenant_id = @tenant and d.state = 'current'
  group by d.delivery_id, d.lineage, s.account, s.billing_period, s.currency
), accounts as (
  select l.delivery_id, l.account, l.billing_period, l.currency, l.provider, l.billing_account,
         (coalesce(l.lines, 0) - coalesce(p.lines, 0))::bigint as unposted_charges,
         p.state, p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost
  from delivered l
  left join posted p on p.lineage = l.lineage and p.account = l.account and p.billing_period = l.billing_period
    and p.currency = l.currency
), totals as (
  select d.source, d.delivery_id, t.role, a.provider, a.billing_account, t.account, t.billing_period, t.currency,
         t.metric,
         t.source_total, t.charges, a.unposted_charges, a.state,
         coalesce(case t.metric when 'effective_cost' then a.effective_cost when 'billed_cost' then a.billed_cost
                                when 'list_cost' then a.list_cost else a.contracted_cost end, 0) as posted_total
  from control_totals t
  join deliveries d on d.tenant_id = @tenant and d.delivery_id = t.delivery_id and d.state = 'current'
  left join accounts a on a.delivery_id = t.delivery_id and a.account = t.account
    and a.billing_period = t.billing_period and a.currency = t.currency
  where t.tenant_id = @tenant and (@billing_period is null or t.billing_period = @billing_period)
)
select t.source, t.delivery_id, t.role, t.provider, t.billing_account, t.account, t.billing_period, t.currency,
  t.metric, t.source_total,
       case when t.role = 'book' then t.posted_total end as posted_total,
       case when t.role = 'book' then t.source_total - t.posted_total end as difference,
       t.charges, case when t.role = 'book' then coalesce(t.unposted_charges, t.charges) end as unposted_charges,
       coalesce(t.state, 'open') as state,
       case when t.role = 'evidence' then t.source_total - book.source_total end as evidence_gap
from totals t
left join (
  select b.account, b.billing_period, b.currency, b.metric, sum(b.source_total) as source_total
  from totals b where b.role = 'book' group by 1, 2, 3, 4
) book using (account, billing_period, currency, metric)

-- name: report.rejections
-- Refused rows with file and line.
select r.import_id, i.source, r.ordinal::bigint as ordinal, r.file, nullif(r.line, 0) as line,
       nullif(r.col, '') as "column", r.reason,
       nullif(r.detail, '') as detail
from rejections r
join imports i on i.tenant_id = r.tenant_id and i.import_id = r.import_id
where r.tenant_id = @tenant

-- name: report.restatements
-- Changes that deliveries made when they replaced others.
select r.delivery_id, r.replaced, d.source, d.export, d.partition_key as partition, r.restated_at,
       nullif(x.account, '') as account, nullif(x.service_name, '') as service_name, x.billing_period, x.currency,
       coalesce(x.added, 0) as added, coalesce(x.removed, 0) as removed, coalesce(x.changed, 0) as changed,
       coalesce(x.effective_cost, 0) as effective_cost, coalesce(x.billed_cost, 0) as billed_cost,
       coalesce(x.list_cost, 0) as list_cost, coalesce(x.contracted_cost, 0) as contracted_cost,
       case when exists (
         select from charge_scopes c join period_states s on s.tenant_id = c.tenant_id and s.calendar = 'billing'
           and s.name = c.billing_period
           and s.billing_account = c.billing_account and s.state = 'closed'
         where c.tenant_id = @tenant and c.delivery = d.number and c.account = x.account
           and c.billing_period = x.billing_period)
       then 'final' else 'open' end as state,
       d.state as delivery_state
from restatements r
join deliveries d on d.tenant_id = @tenant and d.delivery_id = r.delivery_id
left join restatement_deltas x on x.tenant_id = @tenant and x.delivery_id = r.delivery_id and x.replaced = r.replaced
where r.tenant_id = @tenant and (@billing_period is null or x.billing_period = @billing_period)

-- name: report.statement_diff
-- Every pair of versions of one statement, by owner and cause.
select d.billing_account, d.billing_period, d.old_version::bigint as old_version, d.new_version::bigint as new_version,
       d.cause,
       @owner_columns,
       d.currency, 'final'::text as state,
       d.old_effective_cost, d.old_billed_cost, d.old_list_cost, d.old_contracted_cost,
       d.new_effective_cost, d.new_billed_cost, d.new_list_cost, d.new_contracted_cost,
       coalesce(d.new_effective_cost, 0) - coalesce(d.old_effective_cost, 0) as difference_effective_cost,
       coalesce(d.new_billed_cost, 0) - coalesce(d.old_billed_cost, 0) as difference_billed_cost,
       coalesce(d.new_list_cost, 0) - coalesce(d.old_list_cost, 0) as difference_list_cost,
       coalesce(d.new_contracted_cost, 0) - coalesce(d.old_contracted_cost, 0) as difference_contracted_cost
from (
  select a.billing_account, a.billing_period, a.version as old_version, b.version as new_version, l.owner_id, l.cause,
    l.currency,
    sum(l.effective_cost) filter (where l.version = a.version) as old_effective_cost,
    sum(l.billed_cost) filter (where l.version = a.version) as old_billed_cost,
    sum(l.list_cost) filter (where l.version = a.version) as old_list_cost,
    sum(l.contracted_cost) filter (where l.version = a.version) as old_contracted_cost,
    sum(l.effective_cost) filter (where l.version = b.version) as new_effective_cost,
    sum(l.billed_cost) filter (where l.version = b.version) as new_billed_cost,
    sum(l.list_cost) filter (where l.version = b.version) as new_list_cost,
    sum(l.contracted_cost) filter (where l.version = b.version) as new_contracted_cost
  from statements a
  join statements b on b.tenant_id = a.tenant_id and b.billing_account = a.billing_account
    and b.billing_period = a.billing_period and b.version > a.version
  join ( -- added up once per version
    select x.billing_account, x.billing_period, x.version, x.owner_id, x.cause, x.currency,
      sum(x.effective_cost) as effective_cost, sum(x.billed_cost) as billed_cost,
      sum(x.list_cost) as list_cost, sum(x.contracted_cost) as contracted_cost
    from statement_lines x
    where x.tenant_id = @tenant and (@billing_period is null or x.billing_period = @billing_period)
    group by 1, 2, 3, 4, 5, 6
  ) l on l.billing_account = a.billing_account and l.billing_period = a.billing_period
    and l.version in (a.version, b.version)
  where a.tenant_id = @tenant and (@billing_period is null or a.billing_period = @billing_period)
  group by 1, 2, 3, 4, 5, 6, 7
) d
left join owners o on o.tenant_id = @tenant and o.owner_id = d.owner_id
where (d.old_effective_cost, d.old_billed_cost, d.old_list_cost,
    d.old_contracted_cost) is distinct from (d.new_effective_cost, d.new_billed_cost, d.new_list_cost,
    d.new_contracted_cost)

-- name: report.statement_lines
-- Lines of statements with the teams of their owners.
select l.billing_account, l.billing_period, l.version::bigint as version, l.line::bigint as line,
       case when t.reopened_at is null then 'final' else 'reopened' end as state, l.day,
       nullif(l.provider, '') as provider, nullif(l.account, '') as account, nullif(l.region, '') as region,
       nullif(l.cluster, '') as cluster, nullif(l.node, '') as node,
       nullif(l.namespace, '') as namespace, nullif(l.workload_kind, '') as workload_kind,
       nullif(l.service, '') as service, nullif(l.run_id, '') as run_id,
       l.owner_id, coalesce(o.team, 'unowned') as team, o.project, l.cause, l.kind, nullif(l.quality, '') as quality,
       l.currency,
       l.effective_cost, l.billed_cost, l.list_cost, l.contracted_cost, l.gpu_hours, l.capacity_gpu_hours,
       l.active_gpu_hours, l.energy_kwh
from statement_lines l
join statement_words t on t.tenant_id = l.tenant_id and t.billing_account = l.billing_account
  and t.billing_period = l.billing_period and t.version = l.version
left join owners o on o.tenant_id = @tenant and o.owner_id = l.owner_id
where l.tenant_id = @tenant and l.day >= @from and l.day < @to
  and (@billing_period is null or l.billing_period = @billing_period)

-- name: report.statements
-- Statements, including those of reopened periods.
select t.billing_account, t.billing_period, t.version::bigint as version,
       case when t.reopened_at is null then 'final' else 'reopened' end as state,
       encode(t.digest, 'hex') as digest, t.closed_at, t.closed_by, t.reopened_at, t.reopened_by, t.reopen_reason,
       array_to_string(t.policy_versions, ',') as policy_versions, t.open_period, t.lines, t.bytes,
       encode(t.rows_digest, 'hex') as rows_digest, t.number, encode(t.chain, 'hex') as chain
from statements t
where t.tenant_id = @tenant and (@billing_period is null or t.billing_period = @billing_period)

-- name: statement.known
select exists (
  select from statements
  where tenant_id = $1 and ($2 = '' or billing_account = $2) and billing_period = $3
    and (version = $4 or $4 = 0 and reopened_at is null))
