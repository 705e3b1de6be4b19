-- What inference cost and served, by hour: worked out of the ledger and the
-- counters of servers by the step `serving` of analysis (docs/figures.md,
-- section 16).
set local lock_timeout = '5s';

-- Samples at or below bounds in nanoseconds, ascending; the last bound is the
-- largest bigint and counts all.
create type histogram as (bounds bigint[], counts bigint[]);

-- Where the share q of all samples lies, in seconds: buckets are added up, then
-- interpolated linearly as PromQL's histogram_quantile does. Histograms of
-- other bounds are interpolated at all bounds before. NULL without samples.
create function histogram_quantile(list histogram[], q numeric) returns numeric
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

-- One model, server and tenant that a workload served in an hour, with its
-- share of the workload's cost of one currency and state. What was held and
-- counted stands on one row of them. Empty texts are unknown.
create table serving_hours (
  tenant_id int not null, hour timestamptz not null, workload_id uuid not null,
  model text not null, server text not null, served_tenant text not null,
  currency text not null, state text not null,           -- no currency: nothing bills the hour
  service text not null, replica text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  used_cost numeric, held_idle_cost numeric, overhead_cost numeric, lost_cost numeric, unobserved_cost numeric, host_cost numeric, metered_cost numeric,
  input_cost numeric, output_cost numeric, split_basis text not null,
  counts_tokens boolean not null, counts_requests boolean not null,  -- of the service and model, on the day
  gpu_hours numeric, used_gpu_hours numeric, active_gpu_hours numeric, replica_hours numeric, held_minutes numeric, seen_minutes numeric,
  requests bigint, failed_requests bigint, inferences bigint,
  prompt_tokens bigint, cached_prompt_tokens bigint, generation_tokens bigint,
  prefill_ms bigint, decode_ms bigint,
  latency_ms bigint, latency_samples bigint, ttft_ms bigint, ttft_samples bigint, queue_ms bigint, queue_samples bigint,
  latency_bounds bigint[], latency_counts bigint[], ttft_bounds bigint[], ttft_counts bigint[], queue_bounds bigint[], queue_counts bigint[],
  primary key (tenant_id, hour, workload_id, model, server, served_tenant, currency, state)
) partition by range (hour);

-- The same by UTC day (hour is its start), for questions that ask for nothing
-- finer. Rows with histograms of other bounds are not added up.
create table serving_days (like serving_hours including defaults) partition by range (hour);
create index serving_days_hour on serving_days (tenant_id, hour);

select ensure_month('serving_hours', m), ensure_month('serving_days', m)
from (select distinct date_trunc('month', day, 'UTC') from stale_days) months (m);

-- What was analysed before this step existed.
insert into analysis_days (tenant_id, step, day)
select distinct tenant_id, 'serving', day from chunks
on conflict do nothing;
---- create above / drop below ----
delete from analysis_days where step = 'serving';
drop table serving_days, serving_hours;
drop function histogram_quantile(histogram[], numeric);
drop type histogram;
