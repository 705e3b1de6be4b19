-- Output of services is summed in schema star (internal/star, fact serving). Its tables are new, so the days are
-- computed again after an upgrade.
set local lock_timeout = '5s';

-- Drops all views, because they read the dropped tables. They are created again after migrations.
do $$
declare v record;
begin
  for v in select viewname from pg_views where schemaname = 'bi_v1' loop
    execute format('drop view bi_v1.%I', v.viewname);
  end loop;
end $$;
drop table serving_services, serving_days;
drop function histogram_counts(bigint[], int);

-- Sums lists of the same length, number by number.
create function counts_add(state bigint[], counts bigint[]) returns bigint[] language plpgsql immutable strict parallel safe as $$
begin
  for i in 1 .. cardinality(counts) loop
    state[i] := state[i] + counts[i];
  end loop;
  return state;
end $$;
create aggregate merged_counts (bigint[]) (sfunc = counts_add, stype = bigint[], combinefunc = counts_add, parallel = safe);
---- create above / drop below ----
drop aggregate merged_counts (bigint[]);
drop function counts_add(bigint[], bigint[]);
create function histogram_counts(list bigint[], size int) returns bigint[]
language sql immutable strict parallel safe as $$
  select array_agg(s.n order by s.i)
  from (
    select (v.o - 1) % size as i, sum(v.n)::bigint as n from unnest(list) with ordinality v (n, o) group by 1
  ) s
$$;
create table serving_days (like serving_hours including defaults) partition by range (hour);
create index serving_days_hour on serving_days (tenant_id, hour);
create table serving_services (
  tenant_id int not null,
  span text not null check (span in ('day', 'month', 'month and place')),
  at timestamptz not null,
  service text not null, model text, server text, served_tenant text,
  cluster text, namespace text, currency text, state text not null,
  split_basis text not null, counts_tokens boolean not null, counts_requests boolean not null,
  team text, project text, business_unit text, environment text, cost_center text, stage text, model_version text,
  workload_kind text, workload_class text,
  region text, zone text, instance_type text, gpu_model text, pricing text,
  replicas text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  used_cost numeric, held_idle_cost numeric, overhead_cost numeric, lost_cost numeric, unobserved_cost numeric,
  host_cost numeric, metered_cost numeric,
  input_cost numeric, output_cost numeric,
  gpu_hours numeric, used_gpu_hours numeric, active_gpu_hours numeric, replica_hours numeric,
  held_minutes numeric, seen_minutes numeric, activity_bins bigint[],
  requests bigint, failed_requests bigint, inferences bigint,
  prompt_tokens bigint, cached_prompt_tokens bigint, generation_tokens bigint,
  prompt_tokens_with_cache bigint,
  prefill_ms bigint, decode_ms bigint,
  latency_ms bigint, latency_samples bigint, ttft_ms bigint, ttft_samples bigint, queue_ms bigint, queue_samples bigint,
  latency_bounds bigint[], latency_counts bigint[], ttft_bounds bigint[], ttft_counts bigint[],
  queue_bounds bigint[], queue_counts bigint[]
);
create index serving_services_at on serving_services (tenant_id, span, at);
