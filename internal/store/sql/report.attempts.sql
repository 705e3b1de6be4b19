-- One row per attempt and combination of what its sums are filtered by.
select a.attempt_id, a.run_id, a.attempt::bigint as attempt, nullif(a.task, '') as task, a.started_at,
       case when not a.running then a.ended_at end as ended_at,
       a.outcome, nullif(a.reason, '') as reason, nullif(a.pricing, '') as pricing, a.nodes::bigint as nodes, a.gpus::bigint as gpus,
       case when a.loss_from is null then 0 else extract(epoch from a.ended_at - a.loss_from)::bigint end as lost_seconds,
       nullif(a.loss_basis, '') as loss_basis, a.last_checkpoint_at,
       x.cause, x.quality, x.state,
       coalesce(x.currency, case when min(x.currency) over try = max(x.currency) over try then min(x.currency) over try end) as currency,
       x.effective_cost, x.effective_abs, x.billed_cost, x.list_cost, x.contracted_cost, x.gpu_hours
from attempts a
left join (
@attempt_sums
) x on x.run_id = a.run_id and x.attempt_id = a.attempt_id
where a.tenant_id = @tenant and a.started_at < @to and (a.running or a.ended_at > @from)
window try as (partition by a.run_id, a.attempt_id)
