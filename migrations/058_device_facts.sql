-- What devices were used for, cost and showed are facts of schema star, by day and
-- month (internal/star): their own tables go, and the days are added up again.
-- Counts and sets of codes merge there; a merged list is in order, so that equal
-- ones are equal. These functions are called for every row: plpgsql keeps its
-- plans, a statement inside a function of language sql is planned at each call.
set local lock_timeout = '5s';

drop view if exists bi_v1.devices, bi_v1.devices_hourly, bi_v1.devices_daily; -- made anew after the migrations
drop table device_days, device_signals;
delete from analysis_days where step = 'devices';
drop aggregate merged_bins (int[]);
drop function bins_percentile(bigint[], int), bins_join(bigint[], bigint[]), bins_add(bigint[], int[]), bins_tidy(bigint[]);

-- Bins are small (index << 16 | count) as they are counted, or large
-- ((index + 1) << 40 | count) as they are merged: one of each index, ascending.
create function bins_tidy(bins bigint[]) returns bigint[] language plpgsql immutable strict parallel safe as $$
begin
  return (
    select coalesce(array_agg(((b.index + 1) << 40) | b.n order by b.index), '{}')
    from (
      select case when e < 1::bigint << 40 then e >> 16 else (e >> 40) - 1 end as index,
             sum(case when e < 1::bigint << 40 then e & 65535 else e & ((1::bigint << 40) - 1) end)::bigint as n
      from unnest(bins) e
      group by 1
    ) b);
end $$;
create function bins_add(state bigint[], bins bigint[]) returns bigint[] language plpgsql immutable parallel safe as $$
begin
  if bins is null then
    return state;
  end if;
  state := state || bins;
  if cardinality(state) > 8192 then
    state := bins_tidy(state);
  end if;
  return state;
end $$;
create function bins_join(a bigint[], b bigint[]) returns bigint[] language plpgsql immutable strict parallel safe as $$
begin
  return bins_tidy(a || b);
end $$;
create aggregate merged_bins (bigint[]) (sfunc = bins_add, stype = bigint[], finalfunc = bins_tidy, combinefunc = bins_join, parallel = safe);

-- The value at rank ⌈percent / 100 × count⌉ of merged bins: the middle of its bin,
-- as internal/sketch has it for values that are not negative. High percentiles are
-- near the end, from which it looks.
create function bins_percentile(bins bigint[], percent int) returns numeric language plpgsql immutable strict parallel safe as $$
declare
  count_of constant bigint := (1::bigint << 40) - 1;
  n bigint := (select sum(e & count_of) from unnest(bins) e);
  upto bigint := n; -- as many are in bin i or before it
  i int := cardinality(bins);
  index bigint;
begin
  if i = 0 then
    return null;
  end if;
  while i > 1 loop
    upto := upto - (bins[i] & count_of);
    exit when upto * 100 < n * percent;
    i := i - 1;
  end loop;
  index := (bins[i] >> 40) - 1;
  if index < 128 then
    return index;
  end if;
  return (((index & 63) | 64) << ((index >> 6) - 1)::int) + ((1::bigint << ((index >> 6) - 1)::int) - 1) / 2;
end $$;

-- A set of numbers, ascending.
create function set_add(state bigint[], more bigint[]) returns bigint[] language plpgsql immutable parallel safe as $$
begin
  if more is null or more = state or more = '{}' and state is not null then
    return state;
  end if;
  return array(select distinct e from unnest(state || more) e order by e);
end $$;
create aggregate merged_set (bigint[]) (sfunc = set_add, stype = bigint[], combinefunc = set_add, parallel = safe);
---- create above / drop below ----
drop schema star cascade;
create schema star;
comment on schema star is 'What the ledger adds up to. Nobody writes here but gpuledger; what is here can be made again.';
drop aggregate merged_set (bigint[]);
drop aggregate merged_bins (bigint[]) cascade; -- views of bi_v1
drop function set_add(bigint[], bigint[]), bins_percentile(bigint[], int), bins_join(bigint[], bigint[]), bins_add(bigint[], bigint[]), bins_tidy(bigint[]);
