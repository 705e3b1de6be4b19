-- What models cost over their lives, one row per owner and holder, and (life
-- answered) what they served and what that cost: of the model that answered where
-- an owner has a model of that name, else of the model of the service's owner.
select coalesce(f.served_model, f.model) as model,
       f.business_unit, f.team, f.project, coalesce(f.model_version, f.served_version) as model_version, f.stage, f.environment, f.cost_center, f.experiment, f.dataset, f."user", f.priority, f.queue,
       f.life, f.run_id, f.status, f.service, f.currency, f.state, f.effective_cost, f.billed_cost, f.list_cost, f.contracted_cost,
       f.gpu_hours, f.active_gpu_hours, f.first_hour, f.last_hour, f.requests, f.prompt_tokens, f.generation_tokens, f.requests * 0.001 as thousand_requests
from (
  select @owner_columns, null::text as served_model, null::text as served_version,
         case when r.kind in ('training', 'fine_tuning', 'evaluation') then r.kind when x.workload_class = 'service' then 'serving' else 'other' end as life,
         x.run_id, r.status, x.service,
         x.currency, x.state, x.effective_cost, x.billed_cost, x.list_cost, x.contracted_cost, x.gpu_hours, x.active_gpu_hours, x.first_hour, x.last_hour,
         null::bigint as requests, null::bigint as prompt_tokens, null::bigint as generation_tokens
  from (
    select v.owner_id, v.run_id, v.workload_class, v.service, v.currency, max(v.state) as state,
           sum(v.effective_cost) as effective_cost, sum(v.billed_cost) as billed_cost, sum(v.list_cost) as list_cost, sum(v.contracted_cost) as contracted_cost,
           sum(v.gpu_hours) as gpu_hours, sum(v.active_gpu_hours) as active_gpu_hours, min(v.first_hour) as first_hour, max(v.last_hour) as last_hour
    from (
@model_rows
    ) v
    group by v.owner_id, v.run_id, v.workload_class, v.service, v.currency
  ) x
  join owners o on o.tenant_id = @tenant and o.owner_id = x.owner_id
  left join runs r on r.tenant_id = @tenant and r.run_id = x.run_id
  union all
  select @owner_columns, m.model, nullif(h.model_version, ''), case when w.class = 'service' then 'answered' else 'other' end, null, null, h.service, h.currency, h.state,
         c.once * h.effective_cost, c.once * h.billed_cost, c.once * h.list_cost, c.once * h.contracted_cost, null, null,
         h.first_hour, h.last_hour, h.requests, h.prompt_tokens, h.generation_tokens
  from (
    select s.workload_id, s.model, s.model_version, s.service, coalesce(s.currency, '') as currency, max(s.state) as state, min(s.hour) as first_hour, max(s.hour) as last_hour,
           sum(s.effective_cost) as effective_cost, sum(s.billed_cost) as billed_cost, sum(s.list_cost) as list_cost, sum(s.contracted_cost) as contracted_cost,
           sum(s.requests)::bigint as requests, sum(s.prompt_tokens)::bigint as prompt_tokens, sum(s.generation_tokens)::bigint as generation_tokens
    from serving_hours s
    where s.tenant_id = @tenant and s.hour >= @from and s.hour < @to
    group by s.workload_id, s.model, s.model_version, s.service, s.currency
  ) h
  join workloads w on w.tenant_id = @tenant and w.workload_id = h.workload_id
  left join owners o on o.tenant_id = @tenant and o.owner_id = w.owner_id
  left join (select a.model from model_words a where a.tenant_id = @tenant) m on m.model = h.model
  cross join lateral (select case when w.class = 'service' then 1 end as once) c
  where m.model is not null or o.model <> ''
) f
