-- Spot machines: cost, savings and interruptions.

-- name: report.spot
-- Spot machines, their cost and interruptions: rows of money, of attempts, of runs and of interruptions, each once
-- per group that it belongs to, added up by the keys in the query; ids that are counted become lists. Money from
-- roll-ups of days comes without machine and run, and a second time by hour of the day.
with money as materialized (
  select case when m.by_hour then 'hours' when m.hour_of_day is null then 'days' else 'ledger' end as source,
         m.part, m.node_id, m.cluster, nullif(n.name, '') as node, m.region, m.zone, m.instance_type, m.gpu_model,
         m.namespace, m.workload_class, m.workload_kind, m.kind, m.run, m.owner_id, m.state, m.currency, m.hour_of_day,
         m.first_hour, m.last_hour, m.effective_cost, m.on_demand_equivalent, m.gross_saving, m.unknown_cost,
         m.lost_cost, m.dead_cost, m.instance_hours, m.known_hours
  from (
    select false as by_hour, d.* from (
@spot_rows
    ) d
    union all
    select true, d.* from (
@spot_hour_rows
    ) d
  ) m
  left join nodes n on n.tenant_id = @tenant and n.node_id = m.node_id
), paid_in as ( -- counts get the currency of their machine, else of its cluster
  select n.node_id, coalesce(p.currency, min(p.currency) over (partition by n.cluster)) as currency
  from nodes n
  left join (
    select m.node_id, case when min(m.currency) = max(m.currency) then min(m.currency) end as currency
    from (
      select node_id, currency from money where source = 'ledger'
      union all
      select d.node_id, d.currency from (
@spot_node_rows
      ) d
    ) m
    group by m.node_id
  ) p on p.node_id = n.node_id
  where n.tenant_id = @tenant
), places as materialized ( -- of attempts in the window, and of runs that ended in it
  select distinct a.attempt_id, a.run_id, w.node_id, w.class, w.kind as workload_kind, w.namespace,
         a.started_at < @to and (a.running or a.ended_at > @from)
           and (a.pricing = 'spot' or a.reason = 'spot_interruption') as on_spot
  from attempts a
  join attempt_places w on w.tenant_id = a.tenant_id and w.attempt_id = a.attempt_id
  where a.tenant_id = @tenant and (a.started_at < @to and (a.running or a.ended_at > @from)
    or a.run_id in (
      select r.run_id from runs r where r.tenant_id = @tenant and r.ended_at >= @from and r.ended_at < @to))
), held as (
  select * from places where on_spot
), ended as ( -- runs that ended in the window, by number, with all machines they ever held
  select r.run_id, r.owner_id, r.kind, r.status = 'succeeded' as completed, r.started_at, n.node_id, n.price_class,
         e.class, e.workload_kind, e.namespace,
         dense_rank() over (order by r.run_id)::text as run_number, -- ids may contain the comma of lists
         bool_or(n.price_class = 'spot') over (partition by r.run_id) as on_spot,
         bool_and(n.price_class = 'on_demand') over (partition by r.run_id) as on_demand
  from runs r
  join (select distinct run_id, node_id, class, workload_kind, namespace from places) e on e.run_id = r.run_id
  join nodes n on n.tenant_id = r.tenant_id and n.node_id = e.node_id
  where r.tenant_id = @tenant and r.ended_at >= @from and r.ended_at < @to
), hits as materialized (
@interrupted
), counted as (
  select 'attempt' as part, h.node_id, r.owner_id, h.run_id, r.kind, h.class, h.workload_kind, h.namespace,
         a.started_at as hour, p.currency, a.attempt_id::text as attempt_id,
         null::text as spot_ended, null::text as spot_completed,
         null::text as on_demand_ended, null::text as on_demand_completed,
         null::text as interruption, null::timestamptz as at,
         null::bigint as recovery_seconds, null::text as recovered_attempt
  from held h
  join attempts a on a.tenant_id = @tenant and a.attempt_id = h.attempt_id and a.pricing = 'spot'
  join nodes n on n.tenant_id = @tenant and n.node_id = h.node_id and n.price_class = 'spot'
  join runs r on r.tenant_id = @tenant and r.run_id = h.run_id
  left join paid_in p on p.node_id = h.node_id
  union all
  select 'run', e.node_id, e.owner_id, e.run_id, e.kind, e.class, e.workload_kind, e.namespace, e.started_at,
         p.currency, null,
         case when e.on_spot then e.run_number end, case when e.on_spot and e.completed then e.run_number end,
         case when e.on_demand then e.run_number end, case when e.on_demand and e.completed then e.run_number end,
         null, null, null, null
  from ended e
  left join paid_in p on p.node_id = e.node_id
  where e.on_demand or e.price_class = 'spot'
  union all
  select 'interruption', h.node_id, coalesce(r.owner_id, n.owner_id), h.run_id, r.kind,
         w.class, w.workload_kind, w.namespace, h.at, p.currency, null, null, null, null, null,
         h.node_id::text, h.at, h.recovery_seconds,
         case when h.recovery_seconds is not null then h.attempt_id::text end
  from hits h
  join nodes n on n.tenant_id = @tenant and n.node_id = h.node_id
  left join runs r on r.tenant_id = @tenant and r.run_id = h.run_id
  left join (
    select distinct on (attempt_id) attempt_id, class, workload_kind, namespace from held order by 1, 2, 3, 4
  ) w on w.attempt_id = h.attempt_id
  left join paid_in p on p.node_id = h.node_id
), items as materialized (
  select m.source, m.part, m.cluster, m.node, m.region, m.zone, m.instance_type, m.gpu_model,
         m.namespace, m.workload_class, m.workload_kind, m.kind, m.run, m.owner_id, m.state, m.currency, m.hour_of_day,
         m.first_hour, m.last_hour, m.effective_cost, m.on_demand_equivalent, m.gross_saving, m.unknown_cost,
         m.lost_cost, m.dead_cost, m.instance_hours, m.known_hours,
         null::text as attempt_id, null::text as spot_ended, null::text as spot_completed,
         null::text as on_demand_ended, null::text as on_demand_completed,
         null::text as interruption, null::timestamptz as at,
         null::bigint as recovery_seconds, null::text as recovered_attempt
  from money m
  union all
  select 'ledger', c.part, nullif(n.cluster, ''), nullif(n.name, ''), nullif(n.region, ''), nullif(n.zone, ''),
         nullif(n.instance_type, ''), nullif(n.gpu_model, ''),
         nullif(c.namespace, ''), nullif(c.class, ''), nullif(c.workload_kind, ''), nullif(c.kind, ''),
         c.run_id, c.owner_id, null, c.currency, to_char(c.hour at time zone 'UTC', 'HH24'),
         null, null, null, null, null, null, null, null, null, null,
         c.attempt_id, c.spot_ended, c.spot_completed, c.on_demand_ended, c.on_demand_completed,
         c.interruption, c.at, c.recovery_seconds, c.recovered_attempt
  from counted c
  join nodes n on n.tenant_id = @tenant and n.node_id = c.node_id
), exploded as not materialized ( -- three passes over some columns cost less than materializing all
  select g.group_key, g.group_value, i.*, @owner_columns
  from items i
  left join owners o on o.tenant_id = @tenant and o.owner_id = i.owner_id
  cross join lateral (values @spot_groups) g (group_key, group_value)
  where i.source = 'ledger' or (i.source = 'hours') = (g.group_key is not distinct from 'hour')
), grouped as materialized (
  select x.group_key, x.group_value, x.part, x.state, x.currency@named[x],
         min(x.first_hour) as first_hour, max(x.last_hour) as last_hour,
         sum(x.effective_cost) as effective_cost, sum(x.on_demand_equivalent) as on_demand_equivalent,
         sum(x.gross_saving) as gross_saving, sum(x.unknown_cost) as unknown_cost,
         sum(x.lost_cost) as lost_cost, sum(x.dead_cost) as dead_cost,
         sum(x.instance_hours) as instance_hours, sum(x.known_hours) as known_hours,
         sum(x.recovery_seconds) as recovery_seconds,
         string_agg(x.attempt_id, ',') as attempt_id,
         string_agg(x.spot_ended, ',') as spot_ended, string_agg(x.spot_completed, ',') as spot_completed,
         string_agg(x.on_demand_ended, ',') as on_demand_ended,
         string_agg(x.on_demand_completed, ',') as on_demand_completed,
         string_agg(x.interruption, ',') as interruption, string_agg(x.recovered_attempt, ',') as recovered_attempt
  from exploded x
  group by x.group_key, x.group_value, x.part, x.state, x.currency@named[x]
), spotted as ( -- groups with spot machines; others would only show on-demand runs
  select distinct group_key, group_value from grouped where part <> 'run'
), saves as materialized ( -- time that attempts took to write their checkpoints, if known
  select c.attempt_id::text as attempt_id, sum(c.took) as took, count(*) as n
  from (
    select c.attempt_id, c.at, max(c.took) as took
    from (
      select a.attempt_id, e.at, e.took
      from attempts a
      join segments s on s.tenant_id = a.tenant_id and s.attempt_id = a.attempt_id
      join workloads w on w.tenant_id = s.tenant_id and w.workload_id = s.workload_id
      cross join lateral (values (w.name), (w.uid)) pod (name)
      join checkpoint_facts e on e.tenant_id = w.tenant_id and e.cluster = w.cluster and e.namespace = w.namespace
        and e.pod = pod.name and e.at > a.started_at and e.at <= a.ended_at
      where a.tenant_id = @tenant and a.pricing = 'spot' and pod.name <> ''
        and e.took > 0 and e.at >= @from and e.at < @to
      union all
      select a.attempt_id, e.at, e.took
      from attempts a
      join checkpoint_facts e on e.tenant_id = a.tenant_id and e.run = a.run_id
        and e.at > a.started_at and e.at <= a.ended_at
      where a.tenant_id = @tenant and a.pricing = 'spot' and e.run <> ''
        and e.took > 0 and e.at >= @from and e.at < @to
    ) c
    group by c.attempt_id, c.at
  ) c
  group by c.attempt_id
), saved as (
  select a.group_key, a.group_value, ceil(sum(a.took) / (1000 * sum(a.n)))::bigint as seconds
  from (
    select distinct x.group_key, x.group_value, x.attempt_id, c.took, c.n
    from exploded x -- without its part: with it, one row is expected, and saves are searched for each
    join saves c on c.attempt_id = x.attempt_id
  ) a
  group by a.group_key, a.group_value
), taken as materialized (
  select group_key, group_value, interruption, at, recovery_seconds from exploded where part = 'interruption'
), compared as (
  select s.group_key, s.group_value, coalesce(c.seconds, @checkpoint_seconds) as checkpoint_seconds,
         case when c.seconds is null then 'assumed' else 'measured' end as checkpoint_basis,
         t.interruptions, t.worst_week, t.worst_hour, h.recovery_p95, h.recovery_mean, h.recovered, u.seen_days,
         trunc(u.instance_hours * 3600 / nullif(t.interruptions, 0)) as between_seconds
  from spotted s
  left join (
    select group_key, group_value, sum(n) as interruptions, max(in_week) as worst_week, max(n) as worst_hour
    from (
      select group_key, group_value, count(*) as n,
             sum(count(*)) over (partition by group_key, group_value,
               date_trunc('week', date_trunc('hour', at, 'UTC'), 'UTC')) as in_week
      from (select distinct group_key, group_value, interruption, at from taken) d
      group by group_key, group_value, date_trunc('hour', at, 'UTC')
    ) h group by group_key, group_value
  ) t on array[t.group_key, t.group_value] = array[s.group_key, s.group_value]
  left join (
    select group_key, group_value, percentile_disc(0.95) within group (order by recovery_seconds) as recovery_p95,
           sum(recovery_seconds) / nullif(count(recovery_seconds), 0) as recovery_mean,
           count(recovery_seconds) as recovered
    from taken group by group_key, group_value
  ) h on array[h.group_key, h.group_value] = array[s.group_key, s.group_value]
  left join (
    select group_key, group_value, sum(instance_hours) as instance_hours,
           extract(epoch from max(last_hour) filter (where part like 'spent%')
             - min(first_hour) filter (where part like 'spent%') + interval '1 hour') / 86400 as seen_days
    from grouped group by group_key, group_value
  ) u on array[u.group_key, u.group_value] = array[s.group_key, s.group_value]
  left join saved c on array[c.group_key, c.group_value] = array[s.group_key, s.group_value]
), beside as materialized ( -- once, not for each row that it is joined to
  select b.group_key, b.group_value, b.worst_week::bigint as worst_week_interruptions,
         b.worst_hour::bigint as worst_hour_interruptions, b.recovery_p95 as recovery_p95_seconds,
         g.pilot_gate, @pilot_reasons as pilot_reasons, @pilot_alarm as alarm,
         b.checkpoint_seconds, b.checkpoint_basis,
         k.young as young_interval_seconds, k.daly as checkpoint_interval_seconds
  from compared b
  cross join lateral (select @pilot_gate as pilot_gate) g
  left join lateral (
@checkpoint_interval
  ) k on true
)
select f.*, b.worst_week_interruptions, b.worst_hour_interruptions, b.recovery_p95_seconds,
       b.pilot_gate, b.pilot_reasons, b.alarm, b.checkpoint_seconds, b.checkpoint_basis,
       b.young_interval_seconds, b.checkpoint_interval_seconds
from grouped f
join beside b on array[b.group_key, b.group_value] = array[f.group_key, f.group_value]

-- name: report.spot_posted
-- Money of spot from the ledger, by what dataset spot is grouped by.
with sums as materialized (
@halves[spot_sums]
)
select s.hour, s.hour as first_hour, s.hour as last_hour, to_char(s.hour at time zone 'UTC', 'HH24') as hour_of_day,
       concat_ws(' ', case when s.spent then 'spent' end, case when s.destroyed then 'destroyed' end,
         case when s.spent and a.outcome in ('failed', 'oom', 'timeout', 'preempted', 'evicted', 'node_failure')
           then 'dead' end) as part, s.node_id,
       nullif(n.cluster, '') as cluster, nullif(n.name, '') as node,
       nullif(n.region, '') as region, nullif(n.zone, '') as zone,
       nullif(n.instance_type, '') as instance_type, nullif(n.gpu_model, '') as gpu_model,
       nullif(w.namespace, '') as namespace, nullif(w.class, '') as workload_class,
       nullif(w.kind, '') as workload_kind, nullif(r.kind, '') as kind, s.run_id as run, s.owner_id,
       s.state, s.currency,
       case when s.spent then s.effective_cost end as effective_cost,
       s.on_demand as on_demand_equivalent, s.on_demand - s.known_cost as gross_saving,
       case when s.spent then s.unknown_cost end as unknown_cost,
       case when s.destroyed then s.effective_cost end as lost_cost,
       case when s.spent and a.outcome in ('failed', 'oom', 'timeout', 'preempted', 'evicted', 'node_failure')
         then s.effective_cost end as dead_cost,
       case when s.spent then s.capacity end / nullif(n.gpus, 0) as instance_hours,
       case when s.spent then s.known end / nullif(n.gpus, 0) as known_hours
from sums s
join nodes n on n.tenant_id = @tenant and n.node_id = s.node_id
left join workloads w on w.tenant_id = @tenant and w.workload_id = s.workload_id
left join attempts a on a.tenant_id = @tenant and a.attempt_id = s.attempt_id
left join runs r on r.tenant_id = @tenant and r.run_id = s.run_id

-- name: report.spot_postings
-- The postings that dataset spot adds up, one by one.
select s.id as posting_id, s.hour, to_char(s.hour at time zone 'UTC', 'HH24') as hour_of_day,
       nullif(n.cluster, '') as cluster, nullif(n.name, '') as node,
       nullif(n.region, '') as region, nullif(n.zone, '') as zone,
       nullif(n.instance_type, '') as instance_type, nullif(n.gpu_model, '') as gpu_model,
       nullif(n.account, '') as account,
       nullif(w.namespace, '') as namespace, nullif(w.class, '') as workload_class, nullif(w.kind, '') as workload_kind,
       nullif(r.kind, '') as kind, s.run_id as run, a.attempt::bigint as attempt, @owner_columns,
       s.cause, s.state, s.currency,
       case when s.spent then s.effective_cost end as effective_cost,
       case when s.spent then s.capacity_gpu_hours end as gpu_hours, n.gpus::bigint as machine_gpus,
       s.rate as on_demand_rate, s.rate_source as on_demand_source, nullif(s.rate_detail, '') as on_demand_detail,
       s.on_demand as on_demand_equivalent, s.on_demand - s.effective_cost as gross_savings,
       case when s.destroyed then s.effective_cost else 0 end as lost_cost
from (
@spot_facts
) s
join nodes n on n.tenant_id = @tenant and n.node_id = s.node_id
left join workloads w on w.tenant_id = @tenant and w.workload_id = s.workload_id
left join attempts a on a.tenant_id = @tenant and a.attempt_id = s.attempt_id
left join runs r on r.tenant_id = @tenant and r.run_id = s.run_id
left join owners o on o.tenant_id = @tenant and o.owner_id = s.owner_id

-- name: report.spot_facts
-- Facts p of spot machines, and of what interruptions destroyed wherever it ran,
-- each with the on-demand rate of its hour and what it would have cost on demand
-- (docs/figures.md 15.4), where that is known.
select p.*, x.spent, x.destroyed, t.source as rate_source, t.detail as rate_detail, t.hourly as rate,
       case when p.effective_cost is not null
         then on_demand_cost(t.source, t.hourly, t.gpus, p.list_cost, p.capacity_gpu_hours) end as on_demand
from (@facts) p
cross join lateral (
  select p.usage_id is not null and p.node_id in (
           select n.node_id from nodes n where n.tenant_id = @tenant and n.price_class = 'spot') as spent,
         p.cause = 'lost' and p.attempt_id in (
           select a.attempt_id from attempts a where a.tenant_id = @tenant and a.reason = 'spot_interruption')
         or p.cause = 'overhead' and p.attempt_id in (
           select a.attempt_id
           from attempts a
           join attempts z on z.tenant_id = a.tenant_id and z.run_id = a.run_id and z.task = a.task
             and z.attempt = a.attempt - 1
           where a.tenant_id = @tenant and z.reason = 'spot_interruption') as destroyed
) x
left join spot_rates t on x.spent and t.tenant_id = @tenant and t.node_id = p.node_id and t.hour = p.hour
  and t.currency = p.currency
where x.spent or x.destroyed

-- name: report.spot_sums
-- Sums of report.spot_facts for report.spot_posted: known_cost and known are the cost and
-- the capacity that on_demand is of.
select p.node_id, p.owner_id, p.workload_id, p.run_id, p.attempt_id, p.state, p.currency, p.hour, p.spent, p.destroyed,
       sum(p.effective_cost) as effective_cost, sum(p.capacity_gpu_hours) as capacity,
       sum(p.on_demand) as on_demand,
       sum(p.effective_cost) filter (where p.on_demand is not null) as known_cost,
       sum(p.capacity_gpu_hours) filter (where p.on_demand is not null) as known,
       sum(p.effective_cost) filter (where p.on_demand is null) as unknown_cost
from (
@spot_facts
) p
group by p.node_id, p.owner_id, p.workload_id, p.run_id, p.attempt_id, p.state, p.currency, p.hour, p.spent, p.destroyed
