-- Cost and output of inference, derived from the ledger and the counters of servers by the step `serving` of analysis
-- (docs/figures.md, section 16).
set local lock_timeout = '5s';

-- Histograms -----------------------------------------------------------------------------

-- Samples at or below bounds in nanoseconds, ascending; the last bound is the
-- largest bigint and counts all.
create type histogram as (bounds bigint[], counts bigint[]);

-- Sums counts of histograms with the same bounds, which follow one another in list.
create function histogram_counts(list bigint[], size int) returns bigint[]
language sql immutable strict parallel safe as $$
  select array_agg(s.n order by s.i)
  from (
    select (v.o - 1) % size as i, sum(v.n)::bigint as n from unnest(list) with ordinality v (n, o) group by 1
  ) s
$$;

-- Sums histograms with the same bounds: one for each set of bounds.
create function histograms_add(state histogram[], h histogram) returns histogram[]
language plpgsql immutable parallel safe as $$
declare
  counts bigint[];
begin
  if h is null then
    return state;
  end if;
  for i in 1 .. coalesce(cardinality(state), 0) loop
    if state[i].bounds = h.bounds then
      counts := state[i].counts;
      for k in 1 .. cardinality(counts) loop
        counts[k] := counts[k] + h.counts[k];
      end loop;
      state[i].counts := counts;
      return state;
    end if;
  end loop;
  return state || h;
end $$;
create aggregate merged_histograms (histogram) (sfunc = histograms_add, stype = histogram[], parallel = restricted);

-- The quantile q of all samples, in seconds: buckets are summed, then interpolated linearly like PromQL's
-- histogram_quantile. Histograms with different bounds are first interpolated at all bounds. NULL without samples.
create function histogram_quantile_of_many(list histogram[], q numeric) returns numeric
language sql immutable strict parallel safe as $$
  with sets as ( -- rows of equal bounds
    select row_number() over () as k, h.bounds, array_agg(h.counts) as counts from unnest(list) h group by h.bounds
  ), sums as (
    select s.k, u.i, sum(u.n) as n
    from sets s cross join lateral (
      select (v.o - 1) % cardinality(s.bounds) + 1 as i, v.n from unnest(s.counts) with ordinality v (n, o)
    ) u
    group by s.k, u.i
  ), points as (
    select s.bounds[t.i] as le, t.n, lag(s.bounds[t.i]) over w as after, coalesce(lag(t.n) over w, 0) as n_before
    from sums t join sets s on s.k = t.k
    window w as (partition by t.k order by t.i)
  ), merged as (
    select b.le, sum(case
      when p.le = b.le then p.n
      when p.le = 9223372036854775807 or b.le <= coalesce(p.after, 0) then p.n_before
      else p.n_before + (p.n - p.n_before) * (b.le - coalesce(p.after, 0)) / (p.le - coalesce(p.after, 0)) end) as n
    from (select distinct le from points) b
    join points p on p.le >= b.le and (p.after is null or p.after < b.le)
    group by b.le
  ), buckets as (
    select le, n, coalesce(lag(le) over w, 0) as after, coalesce(lag(n) over w, 0) as n_before, max(n) over () as total
    from merged
    window w as (order by le)
  )
  select round(case
    when total = 0 then null
    when le = 9223372036854775807 then after
    when n = n_before or le <= 0 then le
    else after + (le - after) * (q * total - n_before) / (n - n_before) end / 1e9, 12)
  from buckets
  where n >= q * total
  order by le
  limit 1
$$;

-- The same as histogram_quantile_of_many for one histogram, in a tenth of the time: it needs no interpolation at other
-- bounds.
create function histogram_quantile(list histogram[], q numeric) returns numeric
language plpgsql immutable strict parallel safe as $$
declare
  bounds bigint[] := list[1].bounds;
  counts bigint[] := list[1].counts;
  size int := cardinality(bounds);
  total bigint := counts[size];
  after bigint := 0;
  before bigint := 0;
begin
  if cardinality(list) <> 1 or size = 0 then
    return histogram_quantile_of_many(list, q);
  end if;
  if total = 0 then
    return null;
  end if;
  for i in 1 .. size loop
    if counts[i] >= q * total then
      return round(case
        when bounds[i] = 9223372036854775807 then after
        when counts[i] = before or bounds[i] <= 0 then bounds[i]
        else after + (bounds[i] - after) * (q * total - before) / (counts[i] - before) end / 1e9, 12);
    end if;
    after := bounds[i];
    before := counts[i];
  end loop;
  return null; -- q is above 1
end $$;

-- What was served -------------------------------------------------------------------------

-- One model, server and tenant that a workload served in an hour, with its share of the workload's cost in one currency
-- and state. Only one of these rows has the held and counted quantities. Empty texts are unknown.
create table serving_hours (
  tenant_id int not null, hour timestamptz not null, workload_id uuid not null,
  model text not null, server text not null, served_tenant text not null,
  currency text not null, state text not null,           -- no currency: nothing bills the hour
  service text not null, replica text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  used_cost numeric, held_idle_cost numeric, overhead_cost numeric, lost_cost numeric, unobserved_cost numeric,
  host_cost numeric, metered_cost numeric,
  input_cost numeric, output_cost numeric, split_basis text not null,
  counts_tokens boolean not null, counts_requests boolean not null,  -- of the service and model, on the day
  gpu_hours numeric, used_gpu_hours numeric, active_gpu_hours numeric, replica_hours numeric,
  held_minutes numeric, seen_minutes numeric,
  activity_bins bigint[],                                -- of the minutes of its cards and slices (internal/sketch)
  requests bigint, failed_requests bigint, inferences bigint,
  prompt_tokens bigint, cached_prompt_tokens bigint, generation_tokens bigint,
  prefill_ms bigint, decode_ms bigint,
  latency_ms bigint, latency_samples bigint, ttft_ms bigint, ttft_samples bigint, queue_ms bigint, queue_samples bigint,
  latency_bounds bigint[], latency_counts bigint[], ttft_bounds bigint[], ttft_counts bigint[],
  queue_bounds bigint[], queue_counts bigint[],
  model_version text not null default '',                -- from the served name: a quantisation suffix
  primary key (tenant_id, hour, workload_id, model, server, served_tenant, currency, state, model_version)
) partition by range (hour);

-- The same by UTC day (hour is its start), for queries that need nothing finer. Rows whose histograms have different
-- bounds are not summed.
create table serving_days (like serving_hours including defaults) partition by range (hour);
create index serving_days_hour on serving_days (tenant_id, hour);

-- Output and cost of services, summed over replicas: by UTC day and by calendar month, by month also with the places of
-- replicas (region to price class). A year of services is answered from some ten thousand rows instead of from a row
-- per replica and day (docs/operate/performance.md).
--
-- Keys are those of serving_days and the attributes of their workloads, owners and nodes, as of the computation of the
-- day; days on which these changed are marked (stale_days, analysis_days, dirty). Unknown keys are null. Sums are those
-- of the rows: null if all are unknown.
create table serving_services (
  tenant_id int not null,
  span text not null check (span in ('day', 'month', 'month and place')),
  at timestamptz not null,                       -- start of the day or month (UTC)
  service text not null, model text, server text, served_tenant text,
  cluster text, namespace text, currency text, state text not null,
  split_basis text not null, counts_tokens boolean not null, counts_requests boolean not null,
  team text, project text, business_unit text, environment text, cost_center text, stage text, model_version text,
  workload_kind text, workload_class text,
  region text, zone text, instance_type text, gpu_model text, pricing text,   -- null but with places
  replicas text not null,                        -- hashes of the replicas' names, with commas
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  used_cost numeric, held_idle_cost numeric, overhead_cost numeric, lost_cost numeric, unobserved_cost numeric,
  host_cost numeric, metered_cost numeric,
  input_cost numeric, output_cost numeric,
  gpu_hours numeric, used_gpu_hours numeric, active_gpu_hours numeric, replica_hours numeric,
  held_minutes numeric, seen_minutes numeric, activity_bins bigint[],
  requests bigint, failed_requests bigint, inferences bigint,
  prompt_tokens bigint, cached_prompt_tokens bigint, generation_tokens bigint,
  prompt_tokens_with_cache bigint,               -- prompt_tokens of rows with known cached tokens
  prefill_ms bigint, decode_ms bigint,
  latency_ms bigint, latency_samples bigint, ttft_ms bigint, ttft_samples bigint, queue_ms bigint, queue_samples bigint,
  latency_bounds bigint[], latency_counts bigint[], ttft_bounds bigint[], ttft_counts bigint[],
  queue_bounds bigint[], queue_counts bigint[]
);
create index serving_services_at on serving_services (tenant_id, span, at);

-- Served names that servers counted on a UTC day, and the models that they joined (docs/figures.md 16.11).
create table served_names (
  tenant_id int not null, day timestamptz not null,
  served_name text not null, model text not null, model_version text not null,
  joined_by text not null check (joined_by in ('policy', 'same', 'rule', 'unknown', 'ambiguous')),
  among text[] not null,                         -- the models of an ambiguous name
  primary key (tenant_id, day, served_name, model, joined_by)
);
---- create above / drop below ----
drop table served_names, serving_services, serving_days, serving_hours;
drop function histogram_quantile(histogram[], numeric), histogram_quantile_of_many(histogram[], numeric);
drop aggregate merged_histograms (histogram);
drop function histograms_add(histogram[], histogram), histogram_counts(bigint[], int);
drop type histogram;
