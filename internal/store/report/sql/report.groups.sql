-- One row per group of runs and combination of what its sums are filtered by;
-- the group's whole life, for groups that overlap the window.
select g.*,
       x.cause, x.loss_basis, x.in_window, x.quality, x.state,
       coalesce(x.currency, case when min(x.currency) over all_of_it = max(x.currency) over all_of_it then min(x.currency) over all_of_it end) as currency,
       x.effective_cost, x.may_be_lost, x.effective_abs, x.billed_cost, x.list_cost, x.contracted_cost,
       x.gpu_hours, x.active_gpu_hours, x.energy_kwh
from (
  select r.group_id,
         case when count(distinct r.cluster) = 1 then nullif(min(r.cluster), '') end as cluster,
         case when count(distinct r.namespace) = 1 then nullif(min(r.namespace), '') end as namespace,
         case when count(distinct o.team) = 1 then nullif(min(o.team), '') end as team,
         count(*)::bigint as runs, count(*) filter (where r.status = 'succeeded')::bigint as succeeded,
         count(*) filter (where r.status = 'failed')::bigint as failed, count(*) filter (where r.status = 'cancelled')::bigint as cancelled,
         count(*) filter (where r.status in ('running', 'queued'))::bigint as open,
         min(r.started_at) as started_at, case when bool_and(r.ended_at is not null) then max(r.ended_at) end as ended_at,
         sum(r.attempts)::bigint as attempts, sum(r.preemptions)::bigint as preemptions
  from runs r
  left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
  where r.tenant_id = @tenant and r.group_id <> ''
  group by r.group_id
  having @group_overlaps
) g
left join (
  select r.group_id, a.loss_basis, m.cause, m.in_window::text as in_window, m.quality, m.state, m.currency,
         sum(m.effective_cost) as effective_cost, sum(round(m.effective_cost * @may_lose_share, 12)) as may_be_lost, sum(m.effective_abs) as effective_abs,
         sum(m.billed_cost) as billed_cost, sum(m.list_cost) as list_cost, sum(m.contracted_cost) as contracted_cost,
         sum(m.gpu_hours) as gpu_hours, sum(m.active_gpu_hours) as active_gpu_hours, sum(m.energy_kwh) as energy_kwh
  from (
@run_rows
  ) m
  join runs r on r.tenant_id = @tenant and r.run_id = m.run_id
  left join attempts a on a.tenant_id = @tenant and a.attempt_id = m.attempt_id
  group by 1, 2, 3, 4, 5, 6, 7
) x on x.group_id = g.group_id
window all_of_it as (partition by g.group_id)
