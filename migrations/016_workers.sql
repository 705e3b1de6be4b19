-- Several processes work on one ledger: whose work still counts is decided in
-- the transaction that writes it.
set local lock_timeout = '5s';

-- The calculation whose own step set the mark; null: facts that arrived, a
-- policy, prices.
alter table dirty add column calculation_id uuid default nullif(current_setting('gpuledger.calculation', true), '')::uuid;

alter table calculations
  add column mark bigint not null default 0,  -- newest mark when it began: all that it reads is at least as new
  add column seen_at timestamptz,             -- sign of life of its planner
  add column inputs jsonb,                    -- what was there to be calculated from
  add column input_digest bytea;              -- SHA-256 of inputs
create index calculations_open on calculations (tenant_id, started_at) where finished_at is null;

-- The mark of the calculation that a chunk was written by.
alter table chunks add column mark bigint not null default 0;

-- Processes that work off batches of others.
create table allocation_workers (
  tenant_id int not null references tenants, worker text not null,
  slots int not null,                         -- nodes at once
  seen_at timestamptz not null,
  primary key (tenant_id, worker)
);

-- Node-days of the running calculation that are shared out, and what became of
-- them; gone when it ends.
create table allocation_batches (
  tenant_id int not null, calculation_id uuid not null, batch int not null,
  node_days int not null,
  work bytea not null,                        -- JSON, zstd
  worker text,                                -- who has it, or had it last
  tries int not null default 0,
  message text,                               -- why the last try failed
  result jsonb,                               -- null: not done yet
  primary key (tenant_id, calculation_id, batch),
  foreign key (tenant_id, calculation_id) references calculations on delete cascade
);
---- create above / drop below ----
drop table allocation_batches, allocation_workers;
alter table chunks drop column mark;
drop index calculations_open;
alter table calculations drop column mark, drop column seen_at, drop column inputs, drop column input_digest;
alter table dirty drop column calculation_id;
