-- Devices, the layouts of MIG cards and what their slices cost, day by day
-- (docs/figures.md, section 17): made of the ledger and of summaries by the
-- analysis steps `devices` and `layouts`, each day anew.
set local lock_timeout = '5s';

-- What the slots of machines were used for and cost on a day.
create table device_days (
  tenant_id int not null, day timestamptz not null, node_id uuid not null, slot int not null,
  device text,                              -- null: nobody ever saw it
  mig_profile text, owner_id uuid not null, class text, namespace text,
  cause text not null, state text not null, currency text,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  gpu_hours numeric, capacity_gpu_hours numeric, known_gpu_hours numeric, active_gpu_hours numeric, energy_kwh numeric
) partition by range (day);
create index device_days_day on device_days (tenant_id, day);

-- What devices showed on a day, in the hours that an owner held most of. Bins
-- are counts of minute values: index << 16 | count, the index that of
-- internal/sketch.
create table device_signals (
  tenant_id int not null, day timestamptz not null, node_id uuid not null, slot int not null, device text not null,
  mig_profile text, owner_id uuid not null, class text, namespace text,
  hours int not null,                       -- of slices, with a summary
  throttled_hours int not null, xids int[] not null,
  activity_minutes bigint, activity_total bigint, activity_bins int[],       -- ppm
  sm_minutes bigint, sm_total bigint, sm_bins int[],                         -- ppm
  tensor_minutes bigint, tensor_total bigint, tensor_bins int[],             -- ppm
  dram_minutes bigint, dram_total bigint, dram_bins int[],                   -- ppm
  memory_minutes bigint, memory_total bigint, memory_bins int[],             -- ppm of the device's or slice's memory
  power_minutes bigint, power_total bigint, power_bins int[]                 -- milliwatts
) partition by range (day);
create index device_signals_day on device_signals (tenant_id, day);

-- How MIG cards were cut on a day: one row per slot and stretch.
create table layout_days (
  tenant_id int not null, day timestamptz not null, node_id uuid not null, slot int not null, number int not null,
  device text not null, model text not null,
  from_at timestamptz not null, to_at timestamptz not null,
  slice_ids int[] not null, profiles text[] not null,                         -- none: a card without instances
  weights bigint[] not null, denominator bigint not null, free bigint not null, stranded bigint not null,
  held_seconds bigint[] not null,                                             -- per slice, last of the card without instances
  assumed boolean not null,                                                   -- placement not known
  compute int not null, memory int not null, free_compute int not null, largest int not null,
  dead_compute int not null, dead_memory int not null, fragmentation_ppm bigint not null,
  primary key (tenant_id, day, node_id, slot, number)
) partition by range (day);

-- What their slices were used for and cost; slice_id null: the rest of the card.
create table slice_days (
  tenant_id int not null, day timestamptz not null, node_id uuid not null, slot int not null, number int not null,
  slice_id int, owner_id uuid not null, class text, namespace text,
  cause text not null, state text not null, currency text,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  gpu_hours numeric, capacity_gpu_hours numeric, active_gpu_hours numeric, energy_kwh numeric
) partition by range (day);
create index slice_days_day on slice_days (tenant_id, day, node_id, slot);

-- How well the GPUs of a model were packed on a day, and how few cards in MIG
-- mode would have done.
create table packing_days (
  tenant_id int not null, day timestamptz not null, cluster text not null, model text not null,
  cards int not null, fewest int not null, exact boolean not null,
  stuck_ppm bigint not null, free_ppm bigint not null,                      -- FGD: F and Σ R
  primary key (tenant_id, day, cluster, model)
);

-- The better layout of each of these cards; no profiles: it is released.
create table packing_cards (
  tenant_id int not null, day timestamptz not null, cluster text not null, model text not null, card int not null,
  node_id uuid not null, slot int not null, device text not null,
  had text[] not null,                                                        -- the profiles of its last layout of the day
  profiles text[] not null, starts int[] not null,
  primary key (tenant_id, day, cluster, model, card)
);

-- Merging counts: an array of bins, small (index << 16 | count) or large
-- ((index + 1) << 40 | count), which is put in order when it grows long.
create function bins_tidy(bins bigint[]) returns bigint[] language sql immutable parallel safe as $$
  select coalesce(array_agg(((b.index + 1) << 40) | b.n order by b.index), '{}')
  from (
    select case when e < 1::bigint << 40 then e >> 16 else (e >> 40) - 1 end as index,
           sum(case when e < 1::bigint << 40 then e & 65535 else e & ((1::bigint << 40) - 1) end)::bigint as n
    from unnest(bins) e
    group by 1
  ) b
$$;
create function bins_add(state bigint[], bins int[]) returns bigint[] language plpgsql immutable parallel safe as $$
begin
  if bins is null then
    return state;
  end if;
  state := state || bins::bigint[];
  if cardinality(state) > 8192 then
    state := bins_tidy(state);
  end if;
  return state;
end $$;
create function bins_join(a bigint[], b bigint[]) returns bigint[] language sql immutable parallel safe as $$ select bins_tidy(a || b) $$;
create aggregate merged_bins (int[]) (sfunc = bins_add, stype = bigint[], combinefunc = bins_join, initcond = '{}', parallel = safe);

-- The value at rank ⌈percent / 100 × count⌉: the middle of its bin, as
-- internal/sketch has it for values that are not negative.
create function bins_percentile(bins bigint[], percent int) returns numeric language sql immutable parallel safe as $$
  select case when b.index < 128 then b.index
              else (((b.index & 63) | 64) << ((b.index >> 6) - 1)::int) + ((1::bigint << ((b.index >> 6) - 1)::int) - 1) / 2 end::numeric
  from (
    select (e >> 40) - 1 as index, sum(e & ((1::bigint << 40) - 1)) over (order by e) as upto, sum(e & ((1::bigint << 40) - 1)) over () as n
    from unnest(bins_tidy(bins)) e
  ) b
  where b.upto * 100 >= b.n * percent
  order by b.index
  limit 1
$$;

insert into stale_days (tenant_id, day, what)
select distinct tenant_id, day, 'ledger' from chunks;
---- create above / drop below ----
drop aggregate if exists merged_bins (int[]);
drop function if exists bins_percentile(bigint[], int), bins_join(bigint[], bigint[]), bins_add(bigint[], int[]), bins_tidy(bigint[]);
drop table packing_cards, packing_days, slice_days, layout_days;
drop table if exists device_signals, device_days;
