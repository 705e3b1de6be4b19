-- Results that the steps of internal/analysis compute from the ledger, day by day: days to do, roll-ups, layouts and
-- slices, spot machines, use of CPU and memory.
set local lock_timeout = '5s';

-- Work to do ---------------------------------------------------------------------------

-- Days to compute again after the ledger or counters of servers changed. Writers append to stale_days; one reader at a
-- time distributes the days to the steps of analysis (analysis_days), which delete them when done.
create table stale_days (
  tenant_id int not null references tenants,
  day timestamptz not null,
  mark_id uuid not null default gen_random_uuid(),
  what text not null check (what in ('ledger', 'counters', 'warnings')),
  primary key (tenant_id, day, mark_id)
);

create table analysis_days (
  tenant_id int not null references tenants,
  step text not null, day timestamptz not null,
  primary key (tenant_id, step, day)
);

-- Sums -----------------------------------------------------------------------------------

-- Roll-ups of the ledger are in schema star, whose tables follow from declarations (internal/star): gpuledger creates
-- them after the migrations, so that a year is answered from some ten thousand rows instead of some hundred million.
create schema star;
comment on schema star is
  'What the ledger adds up to. Nobody writes here but gpuledger; what is here can be made again.';

-- The days and calendar months (UTC) that are rolled up, as complete as the ledger was. A day that has changed since is
-- marked (stale_days, analysis_days, dirty).
create table rolled_days (
  tenant_id int not null references tenants, day timestamptz not null,
  primary key (tenant_id, day)
);

create table rolled_months (
  tenant_id int not null references tenants, month timestamptz not null,
  primary key (tenant_id, month)
);

-- Layouts and slices (docs/figures.md, section 17) -------------------------------------------
--
-- The layouts of MIG cards and the cost of their slices: the step `layouts` computes each day from scratch from the
-- ledger and summaries.

-- How MIG cards were cut on a day: one row per slot and stretch.
create table layout_days (
  tenant_id int not null, day timestamptz not null, node_id uuid not null, slot int not null, number int not null,
  device text not null, model text not null,
  from_at timestamptz not null, to_at timestamptz not null,
  slice_ids int[] not null, profiles text[] not null, -- none: a card without instances
  weights bigint[] not null, denominator bigint not null, free bigint not null, stranded bigint not null,
  held_seconds bigint[] not null,           -- per slice, last of the card without instances
  assumed boolean not null,                 -- placement unknown
  compute int not null, memory int not null, free_compute int not null, largest int not null,
  dead_compute int not null, dead_memory int not null, fragmentation_ppm bigint not null,
  primary key (tenant_id, day, node_id, slot, number)
) partition by range (day);

-- Use and cost of their slices; slice_id null: the rest of the card.
create table slice_days (
  tenant_id int not null, day timestamptz not null, node_id uuid not null, slot int not null, number int not null,
  slice_id int, owner_id uuid not null, class text, namespace text,
  cause text not null, state text not null, currency text,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  gpu_hours numeric, capacity_gpu_hours numeric, active_gpu_hours numeric, energy_kwh numeric
) partition by range (day);
create index slice_days_day on slice_days (tenant_id, day, node_id, slot);

-- How well the GPUs of a model were packed on a day, and how few cards in MIG mode would have sufficed.
create table packing_days (
  tenant_id int not null, day timestamptz not null, cluster text not null, model text not null,
  cards int not null, fewest int not null, exact boolean not null,
  stuck_ppm bigint not null, free_ppm bigint not null, -- FGD: F and Σ R
  primary key (tenant_id, day, cluster, model)
);

-- The better layout of each of these cards; no profiles: it is released.
create table packing_cards (
  tenant_id int not null, day timestamptz not null, cluster text not null, model text not null, card int not null,
  node_id uuid not null, slot int not null, device text not null,
  had text[] not null,                      -- the profiles of its last layout of the day
  profiles text[] not null, starts int[] not null,
  primary key (tenant_id, day, cluster, model, card)
);

-- The better layouts shown for each day: one per card, if it releases cards (docs/figures.md, 17.7). Derived from
-- packing_cards, which have each day's own layouts, and always replaceable.
create table shown_layouts (
  tenant_id int not null, day timestamptz not null, cluster text not null, model text not null, card int not null,
  node_id uuid not null, slot int not null, device text not null,
  had text[] not null, profiles text[] not null, starts int[] not null,   -- no profiles: it is released
  action text not null,                     -- metrics/packing.Layout.Action
  primary key (tenant_id, day, cluster, model, card)
);

-- Merging telemetry of devices -----------------------------------------------------------------
--
-- Counts and sets of codes are measures of schema star. A merged list is sorted, so that equal ones are identical.
-- These functions are called for every row: plpgsql keeps its plans, while a statement in a function of language sql is
-- planned at each call. They are strict: the server skips rows without a list, which are most, and begins with the
-- first one.

-- A bin is (index + 1) << 40 | count, one for each index, ascending. While several lists are summed, a 0 precedes them.
create function bins_tidy(bins bigint[]) returns bigint[] language plpgsql immutable strict parallel safe as $$
begin
  if bins[1] > 0 then
    return bins;
  end if;
  return array(
    select e >> 40 << 40 | sum(e & ((1::bigint << 40) - 1))::bigint
    from unnest(bins) e
    where e > 0
    group by e >> 40
    order by e >> 40);
end $$;
create function bins_add(state bigint[], bins bigint[]) returns bigint[] language plpgsql immutable strict parallel safe as $$
begin
  state := case when state[1] = 0 then state || bins else 0::bigint || state || bins end;
  if cardinality(state) > 8192 then
    state := bins_tidy(state);
  end if;
  return state;
end $$;
create function bins_join(a bigint[], b bigint[]) returns bigint[] language plpgsql immutable strict parallel safe as $$
begin
  return bins_tidy(0::bigint || a || b);
end $$;
create aggregate merged_bins (bigint[]) (sfunc = bins_add, stype = bigint[], finalfunc = bins_tidy, combinefunc = bins_join, parallel = safe);

-- The value at rank ⌈percent / 100 × count⌉ of merged bins: the middle of its bin, as in internal/sketch for values
-- that are not negative. High percentiles are near the end, so the search begins there.
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
create function set_add(state bigint[], more bigint[]) returns bigint[] language plpgsql immutable strict parallel safe as $$
begin
  if more = state or more = '{}' then
    return state;
  end if;
  return array(select distinct e from unnest(state || more) e order by e);
end $$;
create aggregate merged_set (bigint[]) (sfunc = set_add, stype = bigint[], combinefunc = set_add, parallel = safe);

-- Spot machines (docs/figures.md, section 20) ------------------------------------------------

-- Machines that were taken away (20.1), derived from nodes and events after each allocation.
create table spot_interruptions (
  tenant_id int not null references tenants,
  node_id uuid not null,
  at timestamptz not null,                        -- when the machine ended
  warned_at timestamptz not null,                 -- the last warning before
  primary key (tenant_id, node_id)
);

-- Attempts that they ended (20.3).
create table spot_hits (
  tenant_id int not null, node_id uuid not null, attempt_id uuid not null,
  recovery_seconds bigint,                        -- until a later attempt used what it held
  primary key (tenant_id, node_id, attempt_id),
  foreign key (tenant_id, node_id) references spot_interruptions on delete cascade
);

-- On-demand cost of an hour of a spot machine, with its source (docs/figures.md, 15.4): one row per machine, hour and
-- currency.
create table spot_rates (
  tenant_id int not null, node_id uuid not null, hour timestamptz not null, currency text not null,
  source text not null, detail text not null, hourly numeric, gpus int not null,
  primary key (tenant_id, node_id, hour, currency)
);
create index spot_rates_hour on spot_rates (tenant_id, hour);

-- On-demand cost of a posting: the public price that its own line states, else the hour's rate for the posting's part
-- of the machine. A posting without quantities belongs to an hour that another posting has. Null: unknown.
create function on_demand_cost(source text, hourly numeric, gpus int, list_cost numeric, gpu_hours numeric)
returns numeric language sql immutable as $$
  select case when hourly is null then null
              when source = 'bill' then case when gpu_hours is null then coalesce(list_cost, 0) else list_cost end
              when gpu_hours is null then 0
              else round(hourly * gpu_hours / nullif(gpus, 0), 12) end
$$;

-- CPU and memory (docs/figures.md, 22.3) -------------------------------------------------------

-- Use of pods on a day: sketches (internal/sketch) of thousandths of a core and of bytes, by minute over all
-- containers.
create table pod_use_days (
  tenant_id int not null references tenants,
  day timestamptz not null,
  cluster text not null, namespace text not null, pod text not null,
  cpu bytea, memory bytea,                        -- null: not measured
  primary key (tenant_id, day, cluster, namespace, pod)
);

-- Requests against use, by root owner.
create table request_use (
  tenant_id int not null references tenants,
  cluster text not null, namespace text not null, kind text not null, name text not null,
  days int not null,                              -- with samples
  cpu_p95 bigint, cpu_p99 bigint, cpu_requested bigint,             -- thousandths of a core, of a pod
  memory_p95 bigint, memory_p99 bigint, memory_requested bigint,    -- bytes, of a pod
  enough boolean not null, cpu_suggested bigint, memory_suggested bigint, -- MiB; metrics/advice.SuggestRequest
  pods bigint not null, owner_id uuid,
  primary key (tenant_id, cluster, namespace, kind, name)
);

-- Access by scope --------------------------------------------------------------------------------

-- A scope is the part of the ledger that a user or login may see, stored as members. The policies of schema star
-- compare rows with them; they follow from the declarations (internal/star). Nothing is enforced until row security is
-- enabled on these tables. Unknown texts and owners are '' and zeros here.
create table scopes (
  tenant_id int not null references tenants, scope_id uuid not null,
  everything boolean not null,                    -- without a bound
  primary key (tenant_id, scope_id)
);

create table scope_owners (
  tenant_id int not null, scope_id uuid not null, owner_id uuid not null,
  cluster text,                                   -- only there; null: in all clusters
  unique nulls not distinct (tenant_id, scope_id, owner_id, cluster),
  foreign key (tenant_id, scope_id) references scopes on delete cascade
);

-- Teams with all owners in scope: for roll-ups without owners.
create table scope_teams (
  tenant_id int not null, scope_id uuid not null, team text not null,
  cluster text,                                   -- only there; null: in all clusters
  unique nulls not distinct (tenant_id, scope_id, team, cluster),
  foreign key (tenant_id, scope_id) references scopes on delete cascade
);

-- Clusters that are wholly in scope, with all owners.
create table scope_clusters (
  tenant_id int not null, scope_id uuid not null, cluster text not null,
  primary key (tenant_id, scope_id, cluster),
  foreign key (tenant_id, scope_id) references scopes on delete cascade
);

-- The scope of a login, which no setting changes. A login without one (the server) sets the scope by "set local
-- gpuledger.scope".
create table scope_logins (
  tenant_id int not null references tenants, login text not null,
  scope_id uuid,
  primary key (tenant_id, login),
  foreign key (tenant_id, scope_id) references scopes
);

-- These read the tables above for users who may not read them, because they show other users' scopes. A statement runs
-- each once, not per row.
create function session_scope() returns scopes
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select s from scope_logins l
  join scopes s on s.tenant_id = l.tenant_id
    and s.scope_id = coalesce(l.scope_id, nullif(current_setting('gpuledger.scope', true), '')::uuid)
  where l.login = session_user
$$;

create function owners_in_scope() returns setof scope_owners
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select o from session_scope() s join scope_owners o on o.tenant_id = s.tenant_id and o.scope_id = s.scope_id
$$;

create function teams_in_scope() returns setof scope_teams
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select t from session_scope() s join scope_teams t on t.tenant_id = s.tenant_id and t.scope_id = s.scope_id
$$;

create function clusters_in_scope() returns setof text
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select c.cluster from session_scope() s join scope_clusters c on c.tenant_id = s.tenant_id and c.scope_id = s.scope_id
$$;

create function nodes_in_scope() returns setof uuid
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select n.node_id from session_scope() s
  join scope_clusters c on c.tenant_id = s.tenant_id and c.scope_id = s.scope_id
  join nodes n on n.tenant_id = c.tenant_id and n.cluster = c.cluster
$$;

create function runs_in_scope() returns setof text
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select r.run_id from session_scope() s
  join runs r on r.tenant_id = s.tenant_id
  where exists (select from scope_clusters c where c.tenant_id = s.tenant_id and c.scope_id = s.scope_id and c.cluster = r.cluster)
    or exists (select from scope_owners o where o.tenant_id = s.tenant_id and o.scope_id = s.scope_id
      and o.owner_id = coalesce(r.owner_id, '00000000-0000-0000-0000-000000000000')
      and coalesce(o.cluster, r.cluster) = r.cluster)
$$;

-- Per row, for scopes that limit an owner to a cluster.
create function cluster_of_node(node uuid) returns text
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select n.cluster from session_scope() s join nodes n on n.tenant_id = s.tenant_id and n.node_id = node
$$;
---- create above / drop below ----
drop function cluster_of_node(uuid), runs_in_scope(), nodes_in_scope(), clusters_in_scope(), teams_in_scope(), owners_in_scope(),
  session_scope() cascade; -- with the policies of schema star
drop table scope_logins, scope_clusters, scope_teams, scope_owners, scopes;
drop table request_use, pod_use_days;
drop function on_demand_cost(text, numeric, int, numeric, numeric);
drop table spot_rates;
drop table spot_hits, spot_interruptions;
drop aggregate merged_set (bigint[]);
drop aggregate merged_bins (bigint[]);
drop function set_add(bigint[], bigint[]), bins_percentile(bigint[], int), bins_join(bigint[], bigint[]),
  bins_add(bigint[], bigint[]), bins_tidy(bigint[]);
drop table shown_layouts, packing_cards, packing_days, slice_days, layout_days;
drop table rolled_months, rolled_days;
drop schema star cascade;
drop table analysis_days, stale_days;
