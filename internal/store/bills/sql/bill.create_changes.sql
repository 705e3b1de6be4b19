create temp table if not exists next_odd (fresh boolean not null, charge_id uuid not null) on commit drop;
create temp table if not exists next_changes (fresh boolean not null, charge_id uuid not null, billing_account text not null,
  account text not null, service_name text not null, billing_period text not null, currency text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  alike text[] not null, nth bigint not null) on commit drop;
truncate next_odd, next_changes
