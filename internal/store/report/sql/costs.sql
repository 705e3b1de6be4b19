-- Rows of cost: posted, billed, shared, provisional, of a statement.

-- name: report.behind
-- Postings with their ids, in the form of facts.
select p.posting_id as id, p.hour, p.part_id, p.charge_id, p.rate_id, p.usage_id, p.billing_period, p.cause, p.quality,
       p.state, p.currency, p.owner_id,
       p.node_id, p.device, p.slice_id, p.mig_profile, p.workload_id, p.run_id, p.attempt_id, p.kind,
       null::text as pair_cluster, null::text as pair_account,
       p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours, p.capacity_gpu_hours
from postings p
where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to

-- name: report.behind_shared
-- Pairs of sharing with their ids, in the form of facts.
select s.share_id as id, s.hour, null::uuid as part_id, null::uuid as charge_id, null::uuid as rate_id,
       null::uuid as usage_id, s.billing_period, s.cause, null::text as quality, s.state, s.currency, s.owner_id,
       null::uuid as node_id, null::text as device, null::int as slice_id, null::text as mig_profile,
       null::uuid as workload_id, null::text as run_id, null::uuid as attempt_id,
       s.kind, nullif(s.cluster, '') as pair_cluster, nullif(s.billing_account, '') as pair_account,
       s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost
from shares s
where s.tenant_id = @tenant and s.hour >= @from and s.hour < @to

-- name: report.bounds
-- The period of a total: the window, or all stored time if it is open-ended.
select case when @from = '-infinity' then stored.first else @from end as period_start,
       case when @to = 'infinity' then stored.last + interval '1 hour' else @to end as period_end
from stored_hours stored
where stored.tenant_id = @tenant

-- name: report.cost_rows
-- Costs by hour and all keys of the fact, for star.cost.
select f.period_start as hour, f.*
from (
@cost_rows
) f

-- name: report.exchange_rates
-- Rates to one currency with the days for which they hold: from their own day until the next rate of the pair. Of two
-- for the same day, the one stored later counts.
select r.from_currency, r.to_currency, r.day as starts,
       lead(r.day, 1, 'infinity'::date) over (partition by r.from_currency order by r.day) as ends, r.rate, r.rate_id
from (
  select distinct on (e.from_currency, e.day) e.from_currency, e.to_currency, e.day, e.rate,
         concat(e.version, '/', e.from_currency, '-', e.to_currency, '/',
           to_char(e.day, 'YYYY-MM-DD')) collate "C" as rate_id
  from rate_words e
  where e.tenant_id = @tenant and e.to_currency = @currency
  order by e.from_currency, e.day, e.created_at desc, e.version desc
) r

-- name: report.facts_as_of
-- The ledger at an earlier time, by node-day, owner and cause: the generation of each chunk that was current then.
-- Older generations are kept as these totals only.
select c.day as hour, nullif(c.node_id, '00000000-0000-0000-0000-000000000000') as node_id, t.owner_id, t.cause,
       t.currency, t.state,
       t.effective_cost, t.billed_cost, t.list_cost, t.contracted_cost, t.gpu_hours,
       null::numeric as capacity_gpu_hours, null::numeric as active_gpu_hours, null::numeric as energy_kwh,
       'direct'::text as kind
from (
  select distinct on (h.node_id, h.day) h.node_id, h.day, h.totals
  from chunk_history h
  join chunks k on k.tenant_id = h.tenant_id and k.node_id = h.node_id and k.day = h.day and k.written_at <= @as_of
  where h.tenant_id = @tenant and h.replaced_at > @as_of and h.day >= @from and h.day < @to
  order by h.node_id, h.day, h.generation
) c
cross join lateral jsonb_to_recordset(c.totals) as t (owner_id uuid, cause text, currency text, state text,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric, gpu_hours numeric)
union all
select date_trunc('day', p.hour, 'UTC'), p.node_id, p.owner_id, p.cause, p.currency, p.state,
       p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours, null, null, null, 'direct'
from postings p
join chunks c on c.tenant_id = p.tenant_id and c.node_id = coalesce(p.node_id, '00000000-0000-0000-0000-000000000000')
  and c.day = date_trunc('day', p.hour, 'UTC')
where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to and c.written_at <= @as_of
  and not exists (select from chunk_history h where h.tenant_id = c.tenant_id and h.node_id = c.node_id
    and h.day = c.day and h.replaced_at > @as_of)

-- name: report.facts_billed
-- Money and quantities, row by row: all postings. The other half of the facts is
-- report.facts_uncovered; both have the same columns. They are added up apart,
-- so that the server has the statistics of the table to plan with.
select p.hour, p.part_id, p.rate_id, p.usage_id, p.billing_period, p.cause, p.quality, p.state, p.currency, p.owner_id,
       p.node_id, p.device, p.slice_id, p.mig_profile, p.workload_id, p.run_id, p.attempt_id, p.kind,
       null::text as pair_cluster, null::text as pair_account,
       p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost,
       p.gpu_hours, p.capacity_gpu_hours, p.active_gpu_hours, p.energy_kwh
from @seen[postings] p
where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to

-- name: report.facts_shared
-- Costs that sharing passes on and receives, as facts without quantities (docs/rules.md, section 12), by day.
select s.hour, null::uuid as part_id, null::uuid as rate_id, null::uuid as usage_id, s.billing_period, s.cause,
       null::text as quality, s.state, s.currency, s.owner_id,
       null::uuid as node_id, null::text as device, null::int as slice_id, null::text as mig_profile,
       null::uuid as workload_id, null::text as run_id, null::uuid as attempt_id,
       s.kind, nullif(s.cluster, '') as pair_cluster, nullif(s.billing_account, '') as pair_account,
       s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost,
       null::numeric as gpu_hours, null::numeric as capacity_gpu_hours, null::numeric as active_gpu_hours,
       null::numeric as energy_kwh
from shares s
where s.tenant_id = @tenant and s.hour >= @from and s.hour < @to

-- name: report.facts_statement
-- Lines of statements as facts, by day: of one version, or of the newest version in force.
select l.day as hour, l.billing_period, l.cause, nullif(l.quality, '') as quality, 'final'::text as state, l.currency,
       l.owner_id, l.kind,
       l.provider, l.billing_account, l.account, l.region, l.cluster, l.node, l.namespace, l.workload_kind, l.service,
       l.run_id,
       l.effective_cost, l.billed_cost, l.list_cost, l.contracted_cost, l.gpu_hours, l.capacity_gpu_hours,
       l.active_gpu_hours, l.energy_kwh
from statement_lines l
join statements s on s.tenant_id = l.tenant_id and s.billing_account = l.billing_account
  and s.billing_period = l.billing_period and s.version = l.version
where l.tenant_id = @tenant and l.day >= @from and l.day < @to
  and l.billing_period = @statement_period and (@statement_account = '' or l.billing_account = @statement_account)
  and (s.version = @statement_version or @statement_version = 0 and s.reopened_at is null)
  and (@after_sharing or l.kind not in ('shared_in', 'shared_out'))

-- name: report.facts_uncovered
-- Usage that no bill and no rate covers, as facts without cost. A usage row is
-- uncovered exactly when its node-hour has no part that carries quantities
-- (docs/rules.md 8.4, 8.14).
select u.hour, null::uuid as part_id, null::uuid as rate_id, u.usage_id, null::text as billing_period, u.cause,
       u.quality,
       'provisional'::text as state, null::text as currency, u.owner_id,
       u.node_id, u.device, u.slice_id, u.mig_profile, u.workload_id, u.run_id, u.attempt_id,
       'direct'::text as kind, null::text as pair_cluster, null::text as pair_account,
       null::numeric as effective_cost, null::numeric as billed_cost, null::numeric as list_cost,
       null::numeric as contracted_cost,
       u.gpu_hours, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh
from (
  select c.node_id, c.day + h.n * interval '1 hour' as hour
  from chunks c cross join generate_series(0, 23) h(n)
  where c.tenant_id = @tenant and (c.usage_rows > 0 or exists (select from frozen_hours f
      where f.tenant_id = c.tenant_id and f.node_id = c.node_id and f.hour >= c.day
        and f.hour < c.day + interval '1 day'))
    and c.day > @from - interval '1 day' and c.day < @to
    and not exists (
      select from part_words b
      where b.tenant_id = @tenant and b.node_id = c.node_id and b.hour = c.day + h.n * interval '1 hour'
        and b.hour > @from - interval '1 day' and b.hour < @to + interval '1 day' and b.usage_seconds is not null)
) uncovered
cross join lateral ( -- offset 0: look these few up, never scan all of usage for them
  select * from @seen[usage] v where v.tenant_id = @tenant and v.node_id = uncovered.node_id
    and v.hour = uncovered.hour offset 0
) u
where u.hour >= @from and u.hour < @to

-- name: report.known_currencies
-- Kinds of machines whose costs in the window are in one currency, for all owners together; scoped users need it.
select @place as place, min(p.currency) as currency
from currencies_of_places(@from, @to) p
group by 1
having min(p.currency) = max(p.currency)

-- name: report.known_groups
-- Runs of the groups that overlap the window. A group is always read whole.
select w.run_id from runs w
where w.tenant_id = @tenant and w.group_id in (
  select r.group_id from runs r where r.tenant_id = @tenant and r.group_id <> '' group by r.group_id
  having @group_overlaps)

-- name: report.known_runs
-- Runs that overlap the window, with the names that are the same in all rows of a run.
select r.run_id, nullif(r.group_id, '') as group_id, nullif(r.group_id, '') as "group",
       nullif(r.cluster, '') as cluster, nullif(r.namespace, '') as namespace,
       nullif(r.root_kind, '') as workload_kind, r.kind, r.kind as run_kind, r.name, r.status, @owner_columns
from runs r
left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
where r.tenant_id = @tenant and coalesce(r.started_at, r.created_at, @asked_from) < @asked_to
  and (r.ended_at is null or r.ended_at > @asked_from)

-- name: report.label_carried
-- Whether any workload, run or owner carries a label, by folded key.
select exists (select from workloads w where w.tenant_id = $1 and w.labels ? $2)
    or exists (select from runs r where r.tenant_id = $1 and r.labels ? $2)
    or exists (select from owners o where o.tenant_id = $1 and (o.labels ? $2 or o.labels ? ('label_' || $2)))

-- name: report.label_carried_keys
-- The folded keys of all labels.
select distinct k.key from workloads w cross join lateral jsonb_object_keys(w.labels) k (key) where w.tenant_id = $1
union
select distinct k.key from runs r cross join lateral jsonb_object_keys(r.labels) k (key) where r.tenant_id = $1

-- name: report.middle
-- The middle of the stored part of the window, by days with a ledger and a day before; NULL if that part is empty.
select s.first + (s.last - s.first + interval '1 hour') / 2 as middle
from (
  select least((select min(day) from chunks where tenant_id = @tenant and day >= @from - interval '1 day'
    and day < @to),
               (select min(day) + interval '23 hours' from chunks where tenant_id = @tenant
                 and day >= @from - interval '47 hours' and day < @to - interval '23 hours')) as first,
         greatest((select max(day) from chunks where tenant_id = @tenant and day >= @from - interval '1 day'
           and day < @to),
                  (select max(day) + interval '23 hours' from chunks where tenant_id = @tenant
                    and day >= @from - interval '47 hours' and day < @to - interval '23 hours')) as last
) s

-- name: report.owner_coverage
-- Spend per owner key: with an owner's value, and without.
select k.key, s.*, abs(s.effective_cost) as effective_abs,
       case when k.has then s.effective_cost else 0 end as owned_cost,
         case when k.has then 0 else s.effective_cost end as unowned_cost,
       case when s.quality = 'measured' then s.effective_cost else 0 end as measured_cost,
       case when s.quality = 'estimated' then s.effective_cost else 0 end as estimated_cost,
       case when s.quality = 'assumed' then s.effective_cost else 0 end as assumed_cost
from (
@owner_sums
) s
cross join lateral (values @owner_values) k (key, has)

-- name: report.postings
-- Postings, with what they lead to: their terms, owner, node and workload.
select p.posting_id, p.charge_id, p.part::bigint as part, p.usage_id, p.hour, p.adjusts,
       @led[terms_id],
       @led[owner_id],
       p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost,
       p.gpu_hours, p.capacity_gpu_hours, p.active_gpu_hours, p.energy_kwh,
       p.rate_id, @led[node_id],
       case when p.slot >= 0 then p.slot::bigint end as slot,
       nullif(p.device, '') as device, p.slice_id::bigint as slice_id, nullif(p.mig_profile, '') as mig_profile,
       @led[workload_id], nullif(p.run_id, '') as run_id, p.attempt_id,
       p.terms_id, p.owner_id, p.node_id, p.workload_id
from posting_rows p
left join posting_terms t on t.tenant_id = @tenant and t.terms_id = p.terms_id
left join owners o on o.tenant_id = @tenant and o.owner_id = p.owner_id
left join nodes n on n.tenant_id = @tenant and n.node_id = p.node_id
left join workloads w on w.tenant_id = @tenant and w.workload_id = p.workload_id
where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to
  and (@billing_period is null or t.billing_period = @billing_period)

-- name: report.postings_shared
-- Costs that sharing passes on and receives, as postings.
select s.share_id, null::uuid as charge_id, null::bigint as part, null::uuid as usage_id, s.hour, null::uuid as adjusts,
       s.billing_period, s.cause, null::text as activity, s.kind, s.method, null::text as quality, s.policy_version,
       s.currency, s.state,
       @led[owner_id],
       s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost,
       null::numeric as gpu_hours, null::numeric as capacity_gpu_hours, null::numeric as active_gpu_hours,
       null::numeric as energy_kwh,
       null::uuid as rate_id, null::text as node, nullif(s.cluster, '') as cluster, null::bigint as slot,
       null::text as device, null::bigint as slice_id, null::text as mig_profile,
       null::text as namespace, null::text as pod, null::text as workload_kind, null::text as run_id,
       null::uuid as attempt_id, null::bigint as terms_id, s.owner_id, null::uuid as node_id, null::uuid as workload_id
from shares s
left join owners o on o.tenant_id = @tenant and o.owner_id = s.owner_id
where s.tenant_id = @tenant and s.hour >= @from and s.hour < @to
  and (@billing_period is null or s.billing_period = @billing_period)

-- name: report.provider_splits
-- Cost of workloads in the provider's own split of its machines, next to the ledger's cost of the same pods over all
-- time.
select nullif(w.cluster, '') as cluster, nullif(w.namespace, '') as namespace, nullif(w.name, '') as pod,
       nullif(w.owner_name, '') as workload,
       nullif(w.kind, '') as workload_kind, nullif(w.class, '') as workload_class, w.run_id as run, @owner_columns,
       s.used_cost, s.unused_cost, s.provider_split_cost, p.effective_cost, p.state, s.currency,
       w.workload_id::text as pod_id
from (
  select s.workload_id, s.currency, sum(s.used) as used_cost, sum(s.unused) as unused_cost,
    sum(coalesce(s.used, 0) + coalesce(s.unused, 0)) as provider_split_cost
  from pod_splits s where s.tenant_id = @tenant
  group by s.workload_id, s.currency
) s
join workloads w on w.tenant_id = @tenant and w.workload_id = s.workload_id
left join owners o on o.tenant_id = @tenant and o.owner_id = w.owner_id
left join (
  select p.workload_id, p.currency, sum(p.effective_cost) as effective_cost, @least_settled(p) as state
  from postings p
  where p.tenant_id = @tenant and p.workload_id in (select s.workload_id from pod_splits s where s.tenant_id = @tenant)
  group by p.workload_id, p.currency
) p on p.workload_id = s.workload_id and p.currency = s.currency

-- name: report.provisional_prices
-- The prices of hours without a bill (docs/rules.md 8.12 to 8.14).
select nullif(n.cluster, '') as cluster, nullif(n.instance_type, '') as instance_type, nullif(n.region, '') as region,
  nullif(n.price_class, '') as price_class,
       case b.method
         when 'rate' then case when f.of_book then 'price_book' else 'bill_rate' end
         when 'public price' then 'public_price'
         when 'typical price' then 'typical_price'
         when 'prepaid capacity' then 'prepaid'
         when 'unbilled' then 'uncharged'
         when 'may be billed' then 'may_be_billed'
         else 'unknown'
       end as price_source, f.source as price,
       case when sum(b.effective_cost) is not null
         or b.method = 'may be billed' then nullif(b.currency, '') end as currency,
       case when b.method in ('unbilled', 'may be billed') then 'open' else 'provisional' end as state,
       round(sum(b.usage_seconds::numeric * n.gpus) / 3600, 12) as capacity_gpu_hours,
       sum(b.effective_cost) as effective_cost,
       sum(round(f.hourly * b.usage_seconds / 3600, 12)) filter (where b.method = 'may be billed') as would_cost,
       min(b.hour) as first_hour, max(b.hour) as last_hour
from parts b
join nodes n on n.tenant_id = @tenant and n.node_id = b.node_id
left join posted_rates f on f.tenant_id = @tenant and f.rate_id = b.rate_id
where b.tenant_id = @tenant and b.hour >= @from and b.hour < @to and b.kind = 'provisional'
group by 1, 2, 3, 4, 5, 6, b.currency, b.method

-- name: report.replaced_estimates
-- Estimates that a bill replaced, and the billed cost of the same hours of the same machines, for star.estimate. A
-- machine's day has one provider, so that both are in one row: that of its first billed part, else the node's.
with days as (
  select c.node_id, c.day, c.estimated, nullif(n.cluster, '') as cluster,
    coalesce(b.provider, @provider(n.provider_id)) as provider
  from chunks c
  join nodes n on n.tenant_id = @tenant and n.node_id = c.node_id
  left join lateral (
    select nullif(l.provider, '') as provider
    from part_words w
    join delivery_words d on d.tenant_id = @tenant and d.delivery_id = w.delivery_id
    cross join lateral ( -- offset 0: by number, so that replaced deliveries are not read
      select * from charge_words x where x.tenant_id = @tenant and x.delivery = d.number and x.charge_id = w.charge_id
      offset 0) l
    where w.tenant_id = @tenant and w.node_id = c.node_id and w.hour >= c.day and w.hour < c.day + interval '1 day'
      and w.hour >= @from and w.hour < @to + interval '1 day' and w.usage_seconds is not null
    order by w.hour, w.part_id
    limit 1
  ) b on true
  where c.tenant_id = @tenant and c.day >= @from and c.day < @to and c.estimated <> 0
)
select d.day as hour, d.day, d.provider, d.cluster, e.owner_id, e.currency, e.effective_cost as provisional,
       0::numeric as final
from days d
join replaced_estimates e on e.tenant_id = @tenant and e.node_id = d.node_id and e.day = d.day
union all
select d.day, d.day, d.provider, d.cluster, p.owner_id, p.currency, 0, sum(p.effective_cost)
from days d
join @seen[postings] p on p.tenant_id = @tenant and p.node_id = d.node_id and p.hour >= d.day
  and p.hour < d.day + interval '1 day' and p.hour >= @from and p.hour < @to + interval '1 day'
where p.state <> 'provisional' and p.effective_cost is not null
  and (d.estimated >> extract(hour from p.hour at time zone 'UTC')::int) & 1 = 1
group by d.day, d.provider, d.cluster, p.owner_id, p.currency

-- name: report.shares
-- Whether anything is shared, and whether a policy version in force has sharing rules.
select exists (select from shares where tenant_id = $1) as shared,
  exists (select from policy_versions where tenant_id = $1 and withdrawn_at is null and not only_rates
    and document ~ '(^|[\s{,"])(redistribute|commitments)"?\s*:') as ruled

-- name: report.tag_carried
-- Whether any line of a bill carries a tag.
select exists (select from charge_tags g where g.tenant_id = $1 and (g.tags ? $2 or g.tags ? ('user_' || $2)))

-- name: report.tag_carried_keys
-- The keys of tags that lines of bills carry.
select distinct k.key from charge_tags g cross join lateral jsonb_object_keys(g.tags) k (key) where g.tenant_id = $1

-- name: report.usage
-- Quantities, billed or not.
select u.usage_id, u.hour, @led[node_id], nullif(u.slot, -1)::bigint as slot,
       nullif(u.device, '') as device, u.slice_id::bigint as slice_id, nullif(u.mig_profile, '') as mig_profile,
       @led[workload_id], nullif(u.run_id, '') as run_id, @led[attempt_id],
       @led[owner_id],
       u.cause, u.activity, u.held, u.seconds, u.active_seconds,
       u.gpu_hours, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh, u.quality, u.method,
       u.owner_id, u.node_id, u.workload_id, u.attempt_id
from usage u
left join owners o on o.tenant_id = @tenant and o.owner_id = u.owner_id
left join nodes n on n.tenant_id = @tenant and n.node_id = u.node_id
left join workloads w on w.tenant_id = @tenant and w.workload_id = u.workload_id
left join attempt_words a on a.tenant_id = @tenant and a.attempt_id = u.attempt_id
where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to

-- name: report.state
-- The transactions that a reader sees. While they are the same, so is every row.
select pg_current_snapshot()::text

-- name: report.version
-- The state that answers depend on, as one text: it changes whenever the ledger does. Sign-ins change only the audit
-- log.
select concat_ws('.',
  (select count(*) || '-' || coalesce(sum(generation), 0) || '-' || coalesce(max(generation), 0) from chunks
    where tenant_id = $1),
  (select count(*) || '-' || coalesce(extract(epoch from max(coalesce(finished_at, started_at))), 0) from imports
    where tenant_id = $1),
  (select count(*) || '-' || coalesce(extract(epoch from max(coalesce(finished_at, started_at))), 0) from calculations
    where tenant_id = $1),
  (select count(*) || '-' || count(withdrawn_at) from policy_versions where tenant_id = $1),
  (select count(*) from mappings where tenant_id = $1),
  (select count(*) || '-' || count(reopened_at) from statements where tenant_id = $1),
  (select count(*) || '-' || coalesce(extract(epoch from max(at)), 0) from recommendation_states
    where tenant_id = $1)) as tag,
  coalesce((select number from audit_heads where tenant_id = $1), 0) as entries, pg_current_snapshot()::text as state,
  coalesce((select max(generation) from chunks where tenant_id = $1), 0) as generation,
  coalesce((select policy_version from calculations where tenant_id = $1 order by started_at desc limit 1),
    '') as policy
