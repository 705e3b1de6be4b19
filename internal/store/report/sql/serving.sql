-- Inference, models and per-use AI.

-- name: report.inference
-- Served requests and their cost: rows of one service, model, server, tenant, currency and state, of replicas or of
-- services, by hour, UTC day or month.
select @period_start as period_start, p.service, p.model, p.server, p.tenant, p.cluster, p.namespace,
       array_to_string(p.replicas, ',') as replica, p.currency, p.state,
       p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost,
       p.used_cost, p.held_idle_cost, p.overhead_cost, p.lost_cost, p.unobserved_cost, p.host_cost, p.metered_cost,
       p.input_cost, p.output_cost, p.split_basis,
       p.counts_tokens::text as counts_tokens, p.counts_requests::text as counts_requests,
       p.gpu_hours, p.used_gpu_hours, p.active_gpu_hours,
       p.gpu_hours * 3600 as gpu_seconds, p.active_gpu_hours * 3600 as active_gpu_seconds,
       p.replica_hours, p.held_minutes, p.seen_minutes, p.activity_bins,
       p.requests, p.failed_requests, p.inferences, p.prompt_tokens, p.cached_prompt_tokens, p.generation_tokens,
       p.requests * 0.001 as thousand_requests, p.inferences * 0.001 as thousand_inferences,
       t.tokens, t.tokens * 0.001 as thousand_tokens, t.tokens * 0.00001 as hundred_thousand_tokens,
       t.tokens * 0.000001 as million_tokens,
       p.prompt_tokens * 0.001 as thousand_prompt_tokens, p.generation_tokens * 0.001 as thousand_generation_tokens,
       p.prefill_ms * 0.001 as prefill_seconds, p.decode_ms * 0.001 as decode_seconds,
       p.latency_ms * 0.001 as latency_seconds, p.latency_samples, p.ttft_ms * 0.001 as ttft_seconds, p.ttft_samples,
       p.queue_ms * 0.001 as queue_seconds, p.queue_samples,
       case when p.latency_bounds is not null then row(p.latency_bounds, p.latency_counts)::histogram end as latency,
       case when p.ttft_bounds is not null then row(p.ttft_bounds, p.ttft_counts)::histogram end as ttft,
       case when p.queue_bounds is not null then row(p.queue_bounds, p.queue_counts)::histogram end as queue,
       p.team, p.project, p.business_unit, p.environment, p.cost_center, p.stage, p.model_version,
       p.workload_kind, p.workload_class, p.pod, p.region, p.zone, p.instance_type, p.gpu_model, p.pricing
from (
@serving_rows
) p
cross join lateral (
  select case when p.prompt_tokens is not null or p.generation_tokens is not null
    then coalesce(p.prompt_tokens, 0) + coalesce(p.generation_tokens, 0) end as tokens
) t

-- name: report.llm_usage
-- Calls through gateways, added up by time and their dimensions.
select u.period_start, d.source, nullif(d.provider, '') as provider, nullif(d.model, '') as model,
       nullif(d.model_group, '') as model_group,
       nullif(d.team, '') as team, nullif(d.key_alias, '') as key_alias, nullif(d."user", '') as "user",
       u.requests, u.failed, u.cache_hits, u.prompt_tokens, u.cached_tokens, u.completion_tokens,
       u.requests_without_tokens,
       u.gateway_list_spend, u.requests_without_spend, 'USD'::text as currency
from (
  select @period_start as period_start, p.dimension_id, count(*) as requests,
         count(*) filter (where p.failed) as failed,
         count(*) filter (where p.cache_hit) as cache_hits,
         sum(p.prompt_tokens)::bigint as prompt_tokens, sum(p.cached_tokens)::bigint as cached_tokens,
         sum(p.completion_tokens)::bigint as completion_tokens,
         count(*) filter (where p.prompt_tokens is null and p.completion_tokens is null) as requests_without_tokens,
         sum(p.gateway_list_spend) as gateway_list_spend,
         count(*) filter (where p.gateway_list_spend is null) as requests_without_spend
  from llm_calls p
  where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to
  group by 1, 2
) u
join llm_dimensions d on d.tenant_id = @tenant and d.dimension_id = u.dimension_id

-- name: report.model_costs
-- Facts of owners with a model, with what their workloads serve, for
-- report.models.
select p.hour, p.owner_id, p.run_id, case when w.class = 'service' then w.class end as workload_class,
       case when w.class = 'service' then nullif(w.service, '') end as service,
       p.currency, case when p.state <> 'open' or p.effective_cost is not null then p.state end as state,
       p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours, p.active_gpu_hours,
       p.hour as first_hour, p.hour as last_hour
from (
@facts_billed
union all
@facts_uncovered
) p
left join workloads w on w.tenant_id = @tenant and w.workload_id = p.workload_id
where p.owner_id in (select o.owner_id from owners o where o.tenant_id = @tenant and o.model <> '')

-- name: report.models
-- The cost of models over their lives, one row per owner and holder, and (life answered) what they served and its
-- cost: of the model that answered if an owner has a model of that name, else of the model of the service's owner.
select coalesce(f.served_model, f.model) as model,
       f.business_unit, f.team, f.project, coalesce(f.model_version, f.served_version) as model_version, f.stage,
       f.environment, f.cost_center, f.experiment, f.dataset, f."user", f.priority, f.queue,
       f.life, f.run_id, f.status, f.service, f.currency, f.state, f.effective_cost, f.billed_cost, f.list_cost,
       f.contracted_cost,
       f.gpu_hours, f.active_gpu_hours, f.first_hour, f.last_hour, f.requests, f.prompt_tokens, f.generation_tokens,
       f.requests * 0.001 as thousand_requests
from (
  select @owner_columns, null::text as served_model, null::text as served_version,
         case when r.kind in ('training', 'fine_tuning', 'evaluation') then r.kind
             when x.workload_class = 'service' then 'serving' else 'other' end as life,
         x.run_id, r.status, x.service,
         x.currency, x.state, x.effective_cost, x.billed_cost, x.list_cost, x.contracted_cost, x.gpu_hours,
         x.active_gpu_hours, x.first_hour, x.last_hour,
         null::bigint as requests, null::bigint as prompt_tokens, null::bigint as generation_tokens
  from (
    select v.owner_id, v.run_id, v.workload_class, v.service, v.currency, @least_settled(v) as state,
           sum(v.effective_cost) as effective_cost, sum(v.billed_cost) as billed_cost, sum(v.list_cost) as list_cost,
           sum(v.contracted_cost) as contracted_cost,
           sum(v.gpu_hours) as gpu_hours, sum(v.active_gpu_hours) as active_gpu_hours, min(v.first_hour) as first_hour,
           max(v.last_hour) as last_hour
    from (
@model_rows
    ) v
    group by v.owner_id, v.run_id, v.workload_class, v.service, v.currency
  ) x
  join owners o on o.tenant_id = @tenant and o.owner_id = x.owner_id
  left join runs r on r.tenant_id = @tenant and r.run_id = x.run_id
  union all
  select @owner_columns, m.model, h.model_version,
         case when h.workload_class = 'service' then 'answered' else 'other' end,
         null, null, h.service, h.currency, h.state,
         c.once * h.effective_cost, c.once * h.billed_cost, c.once * h.list_cost, c.once * h.contracted_cost, null,
         null,
         h.first_hour, h.last_hour, h.requests, h.prompt_tokens, h.generation_tokens
  from (
    select v.owner_id, v.workload_class, v.model, v.model_version, v.service, coalesce(v.currency, '') as currency,
           @least_settled(v) as state, min(v.first_hour) as first_hour, max(v.last_hour) as last_hour,
           sum(v.effective_cost) as effective_cost, sum(v.billed_cost) as billed_cost,
           sum(v.list_cost) as list_cost, sum(v.contracted_cost) as contracted_cost,
           sum(v.requests)::bigint as requests, sum(v.prompt_tokens)::bigint as prompt_tokens,
           sum(v.generation_tokens)::bigint as generation_tokens
    from (
@serving_rows
    ) v
    group by v.owner_id, v.workload_class, v.model, v.model_version, v.service, v.currency
  ) h
  left join owners o on o.tenant_id = @tenant and o.owner_id = h.owner_id
  left join (select a.model from model_words a where a.tenant_id = @tenant) m on m.model = h.model
  cross join lateral (select case when h.workload_class = 'service' then 1 end as once) c
  where m.model is not null or o.model <> ''
) f

-- name: report.served_names
-- The names under which models were served, and how each was matched to its model (docs/figures.md 16.11).
select n.served_name, n.model, nullif(n.model_version, '') as model_version, n.joined_by,
       nullif(array_to_string(n.among, ', '), '') as among,
       min(n.day) as first_day, max(n.day) as last_day
from served_names n
where n.tenant_id = @tenant and n.day > @from - interval '1 day' and n.day < @to
group by 1, 2, 3, 4, 5

-- name: report.served
-- What replicas served and cost, by hour, with whose they are and where they ran. The hash
-- of a replica's name stands for it.
select s.hour, s.service, nullif(s.model, '') as model, nullif(s.server, '') as server,
       nullif(s.served_tenant, '') as tenant, nullif(w.cluster, '') as cluster, nullif(w.namespace, '') as namespace,
       nullif(s.currency, '') as currency, s.state, s.split_basis, s.counts_tokens, s.counts_requests,
       nullif(o.team, '') as team, nullif(o.project, '') as project, nullif(o.business_unit, '') as business_unit,
       nullif(o.environment, '') as environment, nullif(o.cost_center, '') as cost_center, nullif(o.stage, '') as stage,
       coalesce(nullif(o.model_version, ''), nullif(s.model_version, '')) as model_version,
       nullif(w.kind, '') as workload_kind, nullif(w.class, '') as workload_class,
       nullif(n.region, '') as region, nullif(n.zone, '') as zone, nullif(n.instance_type, '') as instance_type,
       nullif(n.gpu_model, '') as gpu_model, nullif(n.price_class, '') as pricing, s.workload_id, w.name as pod,
       w.owner_id,
       array[('x' || left(md5(w.cluster || '/' || w.namespace || '/' || s.replica), 16))::bit(64)::bigint] as replicas,
       s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost,
       s.used_cost, s.held_idle_cost, s.overhead_cost, s.lost_cost, s.unobserved_cost, s.host_cost, s.metered_cost,
       s.input_cost, s.output_cost, s.gpu_hours, s.used_gpu_hours, s.active_gpu_hours,
       s.replica_hours, s.held_minutes, s.seen_minutes, s.activity_bins,
       s.requests, s.failed_requests, s.inferences, s.prompt_tokens, s.cached_prompt_tokens, s.generation_tokens,
       s.prefill_ms, s.decode_ms,
       s.latency_ms, s.latency_samples, s.ttft_ms, s.ttft_samples, s.queue_ms, s.queue_samples,
       s.latency_bounds, s.latency_counts, s.ttft_bounds, s.ttft_counts, s.queue_bounds, s.queue_counts,
       s.hour as first_hour, s.hour as last_hour
from serving_hours s
join workloads w on w.tenant_id = @tenant and w.workload_id = s.workload_id
left join owners o on o.tenant_id = @tenant and o.owner_id = w.owner_id
left join nodes n on n.tenant_id = @tenant and n.node_id = w.node_id
where s.tenant_id = @tenant and s.hour >= @from and s.hour < @to
