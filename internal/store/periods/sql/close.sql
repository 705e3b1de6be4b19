-- Closing a period of a billing account.

-- name: close.accounts
select billing_account from parts
where tenant_id = $1 and billing_period = $2 and billing_account is not null
union
select billing_account from period_states where tenant_id = $1 and calendar = 'billing' and name = $2
  and state = 'closed'
order by 1

-- name: close.allocating
-- Whether an allocation is running: it holds the lock of close.lock_running.
select exists (
  select from pg_locks l
  where l.locktype = 'advisory' and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = (hashtext('gpuledger allocation')::bigint & 4294967295)::oid and l.objid = $1::int::oid
      and l.objsubid = 2)

-- name: close.analyze_parts
analyze closing_parts

-- name: close.begin
set local gpuledger.closing = 'on'

-- name: close.create_lines
create temp table if not exists closing_lines (like statement_lines) on commit drop;
truncate closing_lines

-- name: close.create_parts
create temp table if not exists closing_parts (part_id uuid not null, hour timestamptz not null, node_id uuid,
    delivery_id uuid, charge_id uuid,
  provider text, account text, region text) on commit drop;
truncate closing_parts

-- name: close.days
-- The node-days of a period's parts.
select distinct coalesce(node_id, '00000000-0000-0000-0000-000000000000') as node, date_trunc('day', hour, 'UTC') as day
from closing_parts

-- name: close.end_calculations
-- The holder of the allocation lock knows that no calculation is running. Ending an interrupted one makes its late
-- writes fail.
update calculations set finished_at = $2, message = 'the books were closed or reopened meanwhile'
where tenant_id = $1 and finished_at is null

-- name: close.extent
-- The hours in which a period has parts.
select min(hour) as from, max(hour) as to from parts where tenant_id = $1 and billing_account = $2
  and billing_period = $3

-- name: close.forget_share_results
-- Digests cover only pairs that are not final.
delete from share_results r
where r.tenant_id = $1 and exists (
  select from shares s
  where s.tenant_id = $1 and s.billing_account = $2 and s.billing_period = $3 and s.cluster = r.cluster
    and s.hour >= r.month and s.hour < r.month + interval '1 month')

-- name: close.freeze
-- The node-hours with usage rows of final postings.
insert into frozen_hours (tenant_id, node_id, hour, billing_account, billing_period)
select distinct $1::int, p.node_id, p.hour, $2, $3
from postings p join closing_parts c on c.part_id = p.part_id and c.hour = p.hour
where p.tenant_id = $1 and p.hour >= $4 and p.hour <= $5 and p.usage_id is not null
on conflict do nothing

-- name: close.later
select name from period_states
where tenant_id = $1 and calendar = 'billing' and billing_account = $2 and name > $3 and state = 'closed'
order by name

-- name: close.lines
-- All postings of the parts are final since close.postings. A condition on that would make the server plan by how many
-- were final before.
insert into closing_lines
select $1, $2, $3, $4, row_number() over (order by q.day, q.provider collate "C", q.account collate "C",
      q.region collate "C", q.cluster collate "C", q.node collate "C",
    q.namespace collate "C", q.workload_kind collate "C", q.service collate "C", q.run_id collate "C", q.owner_id,
    q.cause collate "C", q.kind collate "C", q.quality collate "C",
    q.currency collate "C"),
  q.*
from (
  select g.day, g.provider, g.account, g.region, g.cluster, g.node, g.namespace, g.workload_kind, g.service, g.run_id,
    g.owner_id, g.cause, g.kind, g.quality, g.currency,
    trim_scale(sum(g.effective_cost)), trim_scale(sum(g.billed_cost)), trim_scale(sum(g.list_cost)),
    trim_scale(sum(g.contracted_cost)),
    trim_scale(sum(g.gpu_hours)), trim_scale(sum(g.capacity_gpu_hours)), trim_scale(sum(g.active_gpu_hours)),
    trim_scale(sum(g.energy_kwh))
  from (
    select p.day, coalesce(nullif(p.provider, ''), @provider(n.provider_id), '') as provider,
      coalesce(nullif(p.account, ''), n.account, '') as account, coalesce(nullif(n.region, ''), p.region, '') as region,
      coalesce(n.cluster, '') as cluster, coalesce(n.name, '') as node,
      coalesce(w.namespace, '') as namespace, coalesce(w.kind, '') as workload_kind, coalesce(w.service, '') as service,
      coalesce(p.run_id, '') as run_id,
      p.owner_id, p.cause, p.kind, p.quality, p.currency, p.effective_cost, p.billed_cost, p.list_cost,
      p.contracted_cost,
      p.gpu_hours, p.capacity_gpu_hours, p.active_gpu_hours, p.energy_kwh
    from (
      select date_trunc('day', p.hour, 'UTC') as day, p.node_id, p.workload_id, p.run_id, p.owner_id, p.cause, p.kind,
        p.quality, p.currency, c.provider, c.account, c.region,
        sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost,
        sum(p.contracted_cost) as contracted_cost,
        sum(p.gpu_hours) as gpu_hours, sum(p.capacity_gpu_hours) as capacity_gpu_hours,
        sum(p.active_gpu_hours) as active_gpu_hours, sum(p.energy_kwh) as energy_kwh
      from postings p join closing_parts c on c.part_id = p.part_id and c.hour = p.hour
      where p.tenant_id = $1 and p.hour >= $5 and p.hour <= $6
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    ) p
    left join nodes n on n.tenant_id = $1 and n.node_id = p.node_id
    left join workloads w on w.tenant_id = $1 and w.workload_id = p.workload_id
    union all
    select s.hour, '', '', '', s.cluster, '', '', '', '', '', s.owner_id, s.cause, s.kind, '', s.currency,
      s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, null, null, null, null
    from shares s
    where s.tenant_id = $1 and s.billing_account = $2 and s.billing_period = $3 and s.state = 'final'
  ) g
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
) q

-- name: close.lock_running
select pg_try_advisory_xact_lock(hashtext('gpuledger allocation'), $1)

-- name: close.mark_analysis
-- Roll-ups must also show that these postings are final, or open again.
insert into stale_days (tenant_id, day, what)
select distinct $1::int, date_trunc('day', hour, 'UTC'), 'ledger' from closing_parts

-- name: close.name_parts
-- The provider, account and region of the parts' lines.
update closing_parts p set provider = l.provider, account = l.account, region = l.region
from (
  select k.delivery_id, k.charge_id, x.provider, x.account, x.region
  from (select distinct delivery_id, charge_id from closing_parts) k
  join deliveries d on d.tenant_id = $1 and d.delivery_id = k.delivery_id
  cross join lateral (select * from charge_lines l where l.tenant_id = $1 and l.delivery = d.number
    and l.charge_id = k.charge_id offset 0) x
) l
where l.delivery_id = p.delivery_id and l.charge_id = p.charge_id

-- name: close.parts
-- Fees that amortise in later hours stay open (rule 13.3): each part closes with the period of its hours and keeps the
-- period of its charge.
with closed as (
  update parts set final = true, billing_period = $3,
    charge_period = case when billing_period = $3 then charge_period else coalesce(charge_period, billing_period) end
  where tenant_id = $1 and billing_account = $2 and not final
    and (billing_period = $3 and (posting_kind <> 'amortise' or hour < $4) or billing_period < $3
      and posting_kind = 'amortise' and hour < $4)
  returning part_id, hour, node_id, delivery_id, charge_id
)
insert into closing_parts select * from closed

-- name: close.policies
-- Policy versions of the postings that close.postings made final, and of sharing pairs.
select distinct policy_version collate "C" from (
  select p.policy_version from postings p join closing_parts c on c.part_id = p.part_id and c.hour = p.hour
  where p.tenant_id = $1 and p.hour >= $4 and p.hour <= $5
  union
  select s.policy_version from shares s where s.tenant_id = $1 and s.billing_account = $2 and s.billing_period = $3
    and s.state = 'final'
) v order by 1

-- name: close.postings
-- Fees that amortise in its hours count to this period; those of earlier hours that came late are closed with it.
update posting_terms set state = 'final', billing_period = $3
where tenant_id = $1 and billing_account = $2 and settles <= $3 and state = 'open'
  and (billing_period = $3 or kind = 'amortise')

-- name: close.put_period
insert into periods (tenant_id, calendar, name, start_at, end_at) values ($1, 'billing', $2, $3, $4)
on conflict do nothing

-- name: close.put_state
insert into period_states (tenant_id, calendar, name, billing_account, state) values ($1, 'billing', $3, $2, $4)
on conflict (tenant_id, calendar, name, billing_account) do update set state = excluded.state

-- name: close.settings
set local work_mem = '128MB'

-- name: close.shares
update shares set state = 'final'
where tenant_id = $1 and billing_account = $2 and billing_period = $3 and state = 'open'

-- name: close.state
-- The reasons that prevent closing the period $3 of account $2, which is [$4, $5).
select
  coalesce((select s.state = 'closed' from period_states s where s.tenant_id = $1 and s.calendar = 'billing'
    and s.name = $3 and s.billing_account = $2), false) as closed,
  not exists (select from parts p where p.tenant_id = $1 and p.billing_account = $2 and p.billing_period = $3) as empty,
  coalesce((
    select array_agg(e.billing_period order by e.billing_period) from (
      select distinct p.billing_period from parts p
      where p.tenant_id = $1 and p.billing_account = $2 and p.billing_period < $3 and not p.final
        and not exists (select from period_states s where s.tenant_id = $1 and s.calendar = 'billing'
          and s.name = p.billing_period and s.billing_account = $2 and s.state = 'closed')
    ) e), '{}') as earlier,
  (select count(*) from (
    select distinct d.node_id, d.day from dirty d
    where d.tenant_id = $1 and d.reason <> 'closed' -- only drops provisional cost, which is not in statements
      and (d.reason = 'parts' or d.day > coalesce((select r.dropped_before from sample_retention r
          where r.tenant_id = $1), '-infinity'))
      and (d.day >= $4 and d.day < $5 or exists (
        select from parts p
        where p.tenant_id = $1 and p.hour >= d.day and p.hour < d.day + interval '1 day' and p.billing_account = $2
          and p.billing_period = $3
          and coalesce(p.node_id, '00000000-0000-0000-0000-000000000000') = d.node_id))
  ) w) as waiting,
  (select count(*) from deliveries d
   where d.tenant_id = $1 and d.state = 'current' and d.fleet_digest = ''
     and exists (select from control_totals t where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id
       and t.role = 'book')
     and exists (select from charge_scopes c where c.tenant_id = d.tenant_id and c.delivery = d.number
       and c.billing_account = $2)) as uncut,
  coalesce((select array_agg(i.source || ' of ' || i.uri order by i.started_at) from imports i
   -- others died
   where i.tenant_id = $1 and i.state = 'running'
     and coalesce(i.progress_at, i.started_at) > $6::timestamptz - interval '15 minutes'), '{}') as imports,
  (select count(*) from parts p
   join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id
   join coverage c on c.tenant_id = n.tenant_id and c.account = n.account
   where p.tenant_id = $1 and p.hour >= $4 and p.hour < $5 and p.kind = 'provisional'
     and p.hour + interval '1 hour' <= c.covered_until
     and (p.effective_cost is not null or p.billed_cost is not null or p.list_cost is not null
       or p.contracted_cost is not null)
     and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = p.node_id
       and x.day = date_trunc('day', p.hour, 'UTC') and x.reason = 'closed')) as provisional

-- name: close.unowned
select p.currency, coalesce(sum(abs(coalesce(p.effective_cost, p.billed_cost))), 0) as total,
  coalesce(sum(abs(coalesce(p.effective_cost, p.billed_cost))) filter (where o.team = 'unowned'), 0) as unowned
from postings p join owners o on o.tenant_id = p.tenant_id and o.owner_id = p.owner_id
where p.tenant_id = $1 and p.billing_account = $2 and p.billing_period = $3 and p.hour >= $4 and p.hour <= $5
group by p.currency
