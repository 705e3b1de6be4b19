-- The requests of services in the year.

-- name: replicas
-- Replicas of 300 services: two in each of two places.
insert into nodes (tenant_id, node_id, cluster, name, instance_type, region, zone, price_class, gpu_model, gpus)
select 1, md5('serving' || n)::uuid, 'prod-' || n % 4, 'serving-' || n,
  (array['p5.48xlarge','p4d.24xlarge','a3-highgpu-8g','ND96isr_H100_v5'])[1 + n % 4], 'region-' || n % 3,
  'region-' || n % 3 || (array['a','b'])[1 + n % 2], (array['on_demand','spot','savings_plan'])[1 + n % 3],
  (array['H100','A100','H100','H100'])[1 + n % 4], 8
from generate_series(0, 23) n
on conflict do nothing;
-- Each month a roll-out: replicas of another name.
insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, service, owner_name, class, node_id,
    outcome, owner_id)
select 1, md5('replica' || i || '-' || r || '-' || month)::uuid, 'prod-' || i % 4, 'serving',
  'svc-' || i || '-' || month || '-' || r, md5('replica' || i || '-' || r || '-' || month), 'Deployment',
  'svc-' || i, 'svc-' || i, 'service', md5('serving' || (i + r / 2) % 24)::uuid, 'running', md5('service' || i)::uuid
from generate_series(0, 299) i, generate_series(0, 3) r, generate_series(0, 11) month
on conflict do nothing

-- name: serving
-- The requests of replicas on a day: half of the services count tokens, with
-- buckets of latency and of the time to the first token.
insert into serving_hours (tenant_id, hour, workload_id, model, server, served_tenant, currency, state, service,
    replica, effective_cost, billed_cost, list_cost, contracted_cost,
  used_cost, held_idle_cost, overhead_cost, lost_cost, unobserved_cost, host_cost, metered_cost, input_cost,
  output_cost, split_basis, counts_tokens, counts_requests,
  gpu_hours, used_gpu_hours, active_gpu_hours, replica_hours, held_minutes, seen_minutes, requests, failed_requests,
  inferences, prompt_tokens, cached_prompt_tokens, generation_tokens,
  prefill_ms, decode_ms, latency_ms, latency_samples, ttft_ms, ttft_samples, queue_ms, queue_samples, latency_bounds,
  latency_counts, ttft_bounds, ttft_counts, queue_bounds, queue_counts)
select 1, $1::timestamptz, w.workload_id, 'model-' || i % 120, case when tokens then 'vllm' else 'triton' end, '',
  'USD', case when $1 < '2026-10-01' then 'final' else 'open' end, w.service, w.name,
  a, a, round(a * 1.7, 12), a, a * 0.5, a * 0.375, a * 0.125, 0, 0, 0, 0, round(a / 3, 12), a - round(a / 3, 12),
  case when tokens then 'weighted' else 'stated' end, tokens, true,
  24, 18, round(a / 17.1, 12), 24, 1440, 1440, x, x / 100, x, case when tokens then x * 900 end,
  case when tokens then x * 300 end, case when tokens then x * 200 end,
  x * 20, x * 110, x * 800, x, case when tokens then x * 90 end, case when tokens then x end, null, null,
  b.bounds, b.counts, case when tokens then b.bounds end, case when tokens then b.counts end, null, null
from generate_series(0, 299) i cross join generate_series(0, 3) r
cross join lateral (select hashtextextended(i || '-' || r, extract(epoch from $1::timestamptz)::bigint) & 65535) h (x)
cross join lateral (select round((50 + x % 40)::numeric * 1.123456789012, 12), i % 2 = 0) k (a, tokens)
cross join lateral (
  select array_agg(case when n = 15 then 9223372036854775807 else (1000000 * 2.0 ^ n)::bigint end order by n) as bounds,
    array_agg(x * (n + 1) / 16 order by n) as counts from generate_series(0, 15) n
) b
join workloads w on w.tenant_id = 1
  and w.workload_id = md5('replica' || i || '-' || r || '-'
    || (extract(month from $1::timestamptz at time zone 'UTC')::int - 1))::uuid
