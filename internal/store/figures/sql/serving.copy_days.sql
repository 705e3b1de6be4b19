copy serving_days (tenant_id, hour, workload_id, model, server, served_tenant, currency, state, service, replica, model_version,
  effective_cost, billed_cost, list_cost, contracted_cost,
  used_cost, held_idle_cost, overhead_cost, lost_cost, unobserved_cost, host_cost, metered_cost,
  input_cost, output_cost, split_basis, counts_tokens, counts_requests,
  gpu_hours, used_gpu_hours, active_gpu_hours, replica_hours, held_minutes, seen_minutes, activity_bins,
  requests, failed_requests, inferences, prompt_tokens, cached_prompt_tokens, generation_tokens, prefill_ms, decode_ms,
  latency_ms, latency_samples, ttft_ms, ttft_samples, queue_ms, queue_samples,
  latency_bounds, latency_counts, ttft_bounds, ttft_counts, queue_bounds, queue_counts)
from stdin (format binary)
