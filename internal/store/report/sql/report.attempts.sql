-- One row per attempt and combination of what its sums are filtered by. What an
-- attempt has once stands in the first row of each of its currencies.
select f.*, case when f.nth = 1 then f.lost_seconds end as lost_seconds_once,
       case when f.nth = 1 then s.activity_bins end as activity_bins,
       case when f.nth = 1 then g.effective_cost end as gang_wait_once, case when f.nth = 1 and g.run_id is not null then 'true' end as gang_waited
from (
  select h.*, row_number() over (partition by h.run_id, h.attempt_id, h.currency) as nth
  from (
    select a.attempt_id, a.run_id, a.attempt::bigint as attempt, nullif(a.task, '') as task, a.started_at,
           case when not a.running then a.ended_at end as ended_at,
           a.outcome, nullif(a.reason, '') as reason, nullif(a.pricing, '') as pricing, a.nodes::bigint as nodes, a.gpus::bigint as gpus,
           greatest(case when a.loss_from is null then 0 else extract(epoch from a.ended_at - a.loss_from)::bigint end, coalesce(m.seconds, 0)) as lost_seconds,
           nullif(a.loss_basis, '') as loss_basis, a.last_checkpoint_at, a.gang_complete_at, (a.attempt > 1)::text as again,
           r.kind as run_kind, nullif(r.cluster, '') as cluster, nullif(r.namespace, '') as namespace, nullif(r.group_id, '') as "group",
           nullif(r.root_kind, '') as workload_kind, @owner_columns @own_labels,
           x.cause, x.quality, x.state,
           coalesce(x.currency, case when min(x.currency) over try = max(x.currency) over try then min(x.currency) over try end) as currency,
           x.effective_cost, x.effective_abs, x.billed_cost, x.list_cost, x.contracted_cost, x.gpu_hours,
           round(x.effective_cost * @may_lose_share, 12) as may_be_lost,
           x.price_class, x.spot_saving, x.spot_known_hours, x.spot_unknown_cost,
           -- Beside what spot saved stands what its interruptions cost.
           case when x.cause = 'lost' and a.reason = 'spot_interruption' or x.cause = 'overhead' and z.reason = 'spot_interruption' then x.effective_cost else 0 end as spot_lost
    from attempts a
    left join (
@attempt_sums
    ) x on x.run_id = a.run_id and x.attempt_id = a.attempt_id
    left join attempts z on z.tenant_id = @tenant and z.run_id = a.run_id and z.task = a.task and z.attempt = a.attempt - 1
    left join ( -- the longest loss of a member that was lost while the others went on
      select s.attempt_id, max(extract(epoch from s.to_at - s.loss_from))::bigint as seconds
      from segments s where s.tenant_id = @tenant and s.loss_from is not null group by s.attempt_id
    ) m on m.attempt_id = a.attempt_id
    left join runs r on r.tenant_id = @tenant and r.run_id = a.run_id
    left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
    where a.tenant_id = @tenant and a.started_at < @to and (a.running or a.ended_at > @from)
      @these_attempts
    window try as (partition by a.run_id, a.attempt_id)
  ) h
) f
left join (
  select q.attempt_id, merged_bins(q.activity_bins) as activity_bins
  from (
@run_signals
  ) q
  where q.attempt_id is not null
  group by q.attempt_id
) s on s.attempt_id = f.attempt_id
left join (
@gang_waits
) g on g.run_id = f.run_id and g.attempt_id = f.attempt_id and g.currency is not distinct from f.currency
