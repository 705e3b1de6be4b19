create temp table closed_charges (charge_id uuid primary key, billing_account text, current boolean not null, final boolean not null, same boolean not null,
  finals bigint not null, old_delivery uuid, open_period text not null, boundary timestamptz not null) on commit drop;
create temp table replaced_lines (charge_id uuid primary key, replaced uuid not null) on commit drop
