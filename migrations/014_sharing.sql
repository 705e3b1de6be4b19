-- Sharing (docs/rules.md, section 12): what nobody held and the discounts of
-- commitments, passed on as pairs that add up to zero.
set local lock_timeout = '5s';

-- What sharing has read of a day, so that it reads again only what changed.
create table share_days (
  tenant_id int not null, day timestamptz not null,
  fingerprint text not null,                     -- of the chunks that it was read from
  primary key (tenant_id, day)
);

-- What one owner has of one cause on one day, added up from postings; with a
-- commitment: what he pays less than its contracted price, below zero.
create table share_pools (
  tenant_id int not null, day timestamptz not null, cluster text not null, cause text not null, owner_id uuid not null,
  billing_account text not null, billing_period text not null, currency text not null, state text not null, commitment text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  primary key (tenant_id, day, cluster, cause, owner_id, billing_account, billing_period, currency, state, commitment)
);

-- GPU-hours held by each owner: the weights.
create table share_hours (
  tenant_id int not null, day timestamptz not null, cluster text not null, owner_id uuid not null,
  held numeric not null, used numeric not null,
  primary key (tenant_id, day, cluster, owner_id)
);

-- Contracted cost of held time on machines that a commitment covers, or, with
-- no commitment, that were on demand: the weights of discounts that are spread.
create table share_machines (
  tenant_id int not null, day timestamptz not null, billing_account text not null, currency text not null, commitment text not null,
  instance_type text not null, region text not null, owner_id uuid not null,
  contracted_cost numeric not null,
  primary key (tenant_id, day, billing_account, currency, commitment, instance_type, region, owner_id)
);

-- Calendar months (UTC) as they were passed on: of what input, with what result.
create table share_months (
  tenant_id int not null, month timestamptz not null,
  fingerprint text not null,
  primary key (tenant_id, month)
);
create table share_results (
  tenant_id int not null, month timestamptz not null, cluster text not null,
  digest bytea not null, row_count bigint not null, -- of rows that are not final
  primary key (tenant_id, month, cluster)
);

-- The sides of all pairs: what a giver passes on (shared_out) and what a payer
-- gets (shared_in). Rows of one pool add up to zero in every metric. A final
-- row never changes.
create table shares (
  tenant_id int not null, share_id uuid not null,
  hour timestamptz not null,                     -- start of the UTC day
  pool_id uuid not null, kind text not null,
  cluster text not null, cause text not null, owner_id uuid not null,
  from_owner uuid,                               -- of shared_in: who had it; null where several had
  billing_account text not null, billing_period text, currency text not null, state text not null,
  commitment text,                               -- whose discount it is; null: what nobody held
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  policy_version text not null, method text not null, rule int not null,  -- its place in the document; 0: commitments
  weight numeric not null, weight_of numeric not null, team_weight bigint, team_weight_of bigint,
  -- Of shared_out: what the whole pool was, kept shares included.
  pool_effective_cost numeric, pool_billed_cost numeric, pool_list_cost numeric, pool_contracted_cost numeric,
  primary key (tenant_id, share_id, hour)
) partition by range (hour);
create index shares_hour on shares (tenant_id, hour, pool_id);
-- Pairs of a closed period never change (13.3).
create trigger final_rows after update or delete on shares for each row when (old.state = 'final') execute function refuse_final();
create trigger kept before truncate on shares for each statement execute function refuse_truncate();
---- create above / drop below ----
drop table shares, share_results, share_months, share_machines, share_hours, share_pools, share_days;
