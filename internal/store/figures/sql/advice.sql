-- Recommendations, and the money behind them.

-- name: advice.decide
insert into recommendation_states (tenant_id, recommendation_id, status, note, by_name, at, done_day, cost_before,
    hours_before)
select $1, $2, $3, $4, $5, $6, case when $3 = 'done' then date_trunc('day', least($6::timestamptz, r.to_at), 'UTC') end,
  case when $3 = 'done' and r.currency <> '' then (
    select coalesce(sum(c.effective_cost), 0) from star.demand_cost_days c
    where c.tenant_id = r.tenant_id and c.cluster = r.cluster and c.namespace = r.namespace and c.kind = r.workload_kind
      and c.name = r.name and c.currency = r.currency
      and c.at >= date_trunc('day', r.from_at, 'UTC') and c.at < r.to_at) end,
  case when $3 = 'done' then coalesce(nullif(r.lifetime_hours, 0),
      extract(epoch from r.to_at - r.from_at)::int / 3600) end
from recommendations r
where r.tenant_id = $1 and r.recommendation_id = $2
on conflict (tenant_id, recommendation_id) do update
set status = excluded.status, note = excluded.note, by_name = excluded.by_name, at = excluded.at,
  done_day = excluded.done_day, cost_before = excluded.cost_before, hours_before = excluded.hours_before

-- name: advice.findings
-- Findings by the subject of the advice: the root workload, the run, the node, the card. A finding that extends
-- beyond the window has a share of its cost by time. Rows without a currency have no price. The last columns are the
-- times in which the machine (without unobserved days) or the run existed; a workload's hours give its time.
select f.kind, f.cluster,
  case when f.workload is not null and f.scope <> 'device' then coalesce(f.namespace, '') else '' end,
  case when f.scope = 'device' then 'Device' when f.workload is not null then coalesce(f.workload_kind, '')
      when f.run_id is not null then 'Run' else 'Node' end,
  case when f.scope = 'device' then f.subject else coalesce(f.workload, f.run_id, f.subject) end,
    coalesce(f.owner_id, '00000000-0000-0000-0000-000000000000'), coalesce(f.gpu_model, ''),
  f.from_at, f.to_at, f.open, coalesce(case when f.from_at >= $2 and f.to_at <= $3 then c.effective_cost
    else round(c.effective_cost * extract(epoch from least(f.to_at, $3) - greatest(f.from_at, $2))
      / extract(epoch from f.to_at - f.from_at), 12) end, 0),
  coalesce(c.currency, ''), coalesce(c.state, 'open'), f.quality,
  t.since, t.until
from findings f
left join finding_costs c on c.tenant_id = f.tenant_id and c.finding_id = f.finding_id
left join nodes n on n.tenant_id = f.tenant_id and n.node_id = f.node_id
  and (f.scope = 'device' or f.workload is null and f.run_id is null)
left join runs r on r.tenant_id = f.tenant_id and r.run_id = f.run_id and f.workload is null and f.scope <> 'device'
cross join lateral (
  select coalesce(array_agg(extract(epoch from lower(s.span))::bigint), '{}') as since,
    coalesce(array_agg(extract(epoch from upper(s.span))::bigint), '{}') as until
  from unnest(tstzmultirange(tstzrange(coalesce(n.appeared_at, r.started_at, f.from_at),
      greatest(coalesce(n.appeared_at, r.started_at, f.from_at), coalesce(n.gone_at, r.ended_at, $3))) * tstzrange($2,
      $3))
    - coalesce(n.dark_days, '{}')) s (span)
) t
where f.tenant_id = $1 and f.to_at > $2 and f.from_at < $3
order by f.kind, f.subject, f.from_at, f.finding_id, c.currency

-- name: advice.get
select r.kind as advises, r.cluster, r.namespace, r.workload_kind as kind, r.name, coalesce(s.status, 'open') as status
from recommendations r
left join recommendation_states s on s.tenant_id = r.tenant_id and s.recommendation_id = r.recommendation_id
where r.tenant_id = $1 and r.recommendation_id = $2
for update of r

-- name: advice.interruptible
-- Jobs on on-demand machines, by cluster, team and type of machine: their cost, how often they write checkpoints, and
-- the spot cost of machines of the type (docs/figures.md, 19.6).
with work as (
  select c.cluster, c.instance_type, o.team, c.currency, min(c.gpu_model) as gpu_model, max(c.state) as state,
    sum(c.effective_cost) as cost
  from star.demand_cost_days c join owners o on o.tenant_id = $1 and o.owner_id = c.owner_id
  where c.tenant_id = $1 and c.at >= date_trunc('day', $2::timestamptz, 'UTC') and c.at < $3 and c.class = 'run'
    and c.price_class = 'on_demand' and c.instance_type <> ''
  group by 1, 2, 3, 4
), gaps as (
  select w.cluster, o.team, n.instance_type,
    extract(epoch from k.at - lag(k.at) over (partition by w.workload_id order by k.at))::bigint as gap
  from checkpoint_facts k
  join workloads w on w.tenant_id = $1 and w.cluster = k.cluster and w.namespace = k.namespace and w.name = k.pod
    and k.at >= w.hold_from and k.at <= w.hold_to
  join nodes n on n.tenant_id = $1 and n.node_id = w.node_id
  join owners o on o.tenant_id = $1 and o.owner_id = w.owner_id
  where k.tenant_id = $1 and k.at >= $2 and k.at < $3
), every as (
  select cluster, team, instance_type, percentile_disc(0.5) within group (order by gap) as seconds from gaps
  where gap > 0 group by 1, 2, 3
), rates as (
  select n.instance_type, p.currency, -- with discounts, which are separate lines
    sum(p.effective_cost) filter (where n.price_class = 'spot')
      / nullif(sum(p.usage_seconds) filter (where n.price_class = 'spot'), 0) as spot,
    sum(p.effective_cost) filter (where n.price_class = 'on_demand')
      / nullif(sum(p.usage_seconds) filter (where n.price_class = 'on_demand'), 0) as on_demand
  from parts p join nodes n on n.tenant_id = $1 and n.node_id = p.node_id
  where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3 and p.kind in ('compute', 'provisional')
    and p.effective_cost is not null and n.price_class in ('spot', 'on_demand')
  group by 1, 2
)
select w.cluster, w.instance_type, w.team, w.currency, w.gpu_model, w.state, w.cost,
  coalesce(e.seconds, 0) as checkpoint_every,
  coalesce(t.spot, 0) as spot, coalesce(t.on_demand, 0) as on_demand
from work w
left join every e on e.cluster = w.cluster and e.instance_type = w.instance_type and e.team = w.team
left join rates t on t.instance_type = w.instance_type and t.currency = w.currency
order by w.cluster, w.instance_type, w.team, w.currency

-- name: advice.isolation
-- Labels of workloads that may ask for isolation, by root owner; advice.Isolated decides whether they do.
select distinct w.cluster, w.namespace, w.kind, w.owner_name as name, l.key, l.value
from workloads w
join workload_facts f on f.tenant_id = w.tenant_id and f.cluster = w.cluster and f.uid = w.uid
cross join lateral jsonb_each_text(f.labels) l
where w.tenant_id = $1 and w.hold_from < $3 and w.hold_to > $2 and w.owner_name <> '' and l.key ilike '%isolation%'
order by 1, 2, 3, 4, 5, 6

-- name: advice.overlaps
update recommendations r
set counted_in = o.counted_in
from recommendations x
left join unnest($2::uuid[], $3::uuid[]) o (recommendation_id, counted_in) on o.recommendation_id = x.recommendation_id
where r.tenant_id = $1 and x.tenant_id = r.tenant_id and x.recommendation_id = r.recommendation_id
  and r.counted_in is distinct from o.counted_in

-- name: advice.put
insert into recommendations (tenant_id, recommendation_id, kind, cluster, namespace, workload_kind, name, owner_id,
    gpu_model, from_at, to_at, proposal, evidence, confidence, effort, risk,
  effective_cost, saving, saving_per_month, currency, state, instrument, quantity, term_months, break_even_months,
  stranded, claims, observed_hours, lifetime_hours, basis, holds, first_seen, last_seen)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::text::jsonb, $14, $15, $16, $17, $18, $19, $20, $21,
    $22, $23, $24, $25, $26, $27, $28, $29, $30, true, $11, $11)
on conflict (tenant_id, recommendation_id) do update
set owner_id = excluded.owner_id, from_at = excluded.from_at, to_at = excluded.to_at, proposal = excluded.proposal,
  evidence = excluded.evidence, confidence = excluded.confidence, effort = excluded.effort, risk = excluded.risk,
  effective_cost = excluded.effective_cost, saving = excluded.saving, saving_per_month = excluded.saving_per_month,
  state = excluded.state,
  instrument = excluded.instrument, quantity = excluded.quantity, term_months = excluded.term_months,
  break_even_months = excluded.break_even_months, stranded = excluded.stranded,
  claims = excluded.claims, observed_hours = excluded.observed_hours, lifetime_hours = excluded.lifetime_hours,
  basis = excluded.basis, holds = true, last_seen = excluded.last_seen

-- name: advice.rates
-- The price book's rates for machines on demand and with a commitment, at an instant.
select instance_type, region, price_class, currency, hourly, source
from rates
where tenant_id = $1 and price_class in ('on_demand', 'savings_plan', 'reserved') and valid_from <= $2 and valid_to > $2
order by instance_type, region, currency, price_class, hourly

-- name: advice.realise
-- Savings since recommendations were done: the cost per hour of the evidence, less that of the whole days since,
-- times their hours. For workloads only: the cost of a machine that is gone cannot be distinguished from that of its
-- replacement.
update recommendations r
set realised_hours = m.hours,
  realised_saving = case when m.hours >= 24 then round(s.cost_before / s.hours_before * m.hours - m.cost, 12) end
from recommendation_states s
cross join lateral (
  select coalesce(sum(c.effective_cost), 0) as cost,
    greatest(0, extract(epoch from $2::timestamptz - (s.done_day + interval '1 day')) / 3600)::int as hours
  from recommendations x
  left join star.demand_cost_days c on c.tenant_id = x.tenant_id and c.cluster = x.cluster and c.namespace = x.namespace
    and c.kind = x.workload_kind and c.name = x.name
    and c.currency = x.currency and c.at > s.done_day and c.at < $2
  where x.tenant_id = s.tenant_id and x.recommendation_id = s.recommendation_id
) m
where r.tenant_id = $1 and s.tenant_id = r.tenant_id and s.recommendation_id = r.recommendation_id and s.status = 'done'
  and s.hours_before > 0

-- name: advice.savers
-- The open savings to add up, as a rate per time: lives differ, and a few days do not make a month.
select r.recommendation_id as id, r.currency,
  round(r.saving / coalesce(nullif(r.lifetime_hours, 0), extract(epoch from r.to_at - r.from_at) / 3600), 12) as saving,
  r.claims
from recommendations r
left join recommendation_states s on s.tenant_id = r.tenant_id and s.recommendation_id = r.recommendation_id
where r.tenant_id = $1 and r.holds and r.saving is not null and coalesce(s.status, 'open') in ('open', 'accepted')
order by r.recommendation_id

-- name: advice.spot_records
-- Dataset spot for teams in a window: cost and loss by team and currency; interruptions by team, in every currency
-- (docs/figures.md, 19.6, 20).
with spent as (
  select o.team, d.currency, sum(d.effective_cost) as cost, coalesce(sum(d.lost_cost), 0) as lost,
    count(distinct d.at) filter (where d.effective_cost > 0) as days
  from star.spot_days d join owners o on o.tenant_id = $1 and o.owner_id = d.owner_id
  where d.tenant_id = $1 and d.at >= date_trunc('day', $2::timestamptz, 'UTC') and d.at < $3 and o.team <> 'unowned'
  group by 1, 2
), recovered as ( -- an attempt that lost several machines recovered once
  select o.team, i.node_id, h.recovery_seconds as seconds,
    row_number() over (partition by h.attempt_id order by i.at, i.node_id) as nth
  from spot_interruptions i
  join spot_hits h on h.tenant_id = $1 and h.node_id = i.node_id
  join attempts a on a.tenant_id = $1 and a.attempt_id = h.attempt_id
  join runs r on r.tenant_id = $1 and r.run_id = a.run_id
  join owners o on o.tenant_id = $1 and o.owner_id = r.owner_id
  where i.tenant_id = $1 and i.at >= $2 and i.at < $3
), hit as (
  select team, count(distinct node_id) as interruptions, count(seconds) filter (where nth = 1) as recovered,
    coalesce(sum(seconds) filter (where nth = 1), 0)::bigint as seconds from recovered group by 1
)
select s.team, s.currency, s.cost, s.lost, s.days, coalesce(h.interruptions, 0) as interruptions,
  coalesce(h.recovered, 0) as recovered,
  coalesce(h.seconds, 0) as recover_seconds
from spent s left join hit h on h.team = s.team
where s.cost > 0 and s.currency is not null
order by s.team, s.currency

-- name: advice.stale
-- Undecided recommendations are deleted with their evidence; the others stay and no longer hold.
with gone as (
  delete from recommendations r
  where r.tenant_id = $1 and r.recommendation_id <> all ($2::uuid[])
    and not exists (select from recommendation_states s where s.tenant_id = r.tenant_id
      and s.recommendation_id = r.recommendation_id)
)
update recommendations r set holds = false
from recommendation_states s
where r.tenant_id = $1 and s.tenant_id = r.tenant_id and s.recommendation_id = r.recommendation_id and r.holds
  and r.recommendation_id <> all ($2::uuid[])

-- name: advice.teams
select owner_id, team from owners where tenant_id = $1

-- name: advice.window
-- The newest $2 days of demand, up to the end of the stored hours.
select greatest(d.first_day, (select min(u.hour) from usage u where u.tenant_id = $1 and u.hour >= d.first_day
  and u.hour < d.first_day + interval '1 day')) as "from",
  (select max(u.hour) + interval '1 hour' from usage u where u.tenant_id = $1 and u.hour >= d.last_day
    and u.hour < d.last_day + interval '1 day') as "to"
from (
  select greatest(min(at), max(at) + interval '1 day' - make_interval(days => $2)) as first_day, max(at) as last_day
  from star.demand_days where tenant_id = $1
) d
where d.last_day is not null
