-- Hour by hour, what of the machines of a type was on demand or covered by a
-- commitment, and for which work (docs/figures.md, 19.4). Filled, forgotten and
-- read in the way of 031; no month adds hours up.
set local lock_timeout = '5s';

create table level_days (
  tenant_id int not null, at timestamptz not null,
  use text not null, provider text, region text, instance_type text, instance_family text, gpus bigint, work text not null, state text not null, currency text,
  effective_cost numeric, gpu_hours numeric, capacity_gpu_hours numeric
);
create index level_days_at on level_days (tenant_id, at);

alter table recommendations
  add instrument text, add quantity bigint, add term_months bigint, add break_even_months numeric, add stranded numeric,  -- of commitments
  add claims text[] not null default '{}',    -- what it would save on
  add counted_in uuid;                        -- the recommendation that counts instead, having claimed the same

-- What was added up before this table existed; the newest advice knows no claims.
insert into analysis_days (tenant_id, step, day)
select tenant_id, s.step, day from rolled_days, (values ('costs'), ('advice')) s (step)
on conflict do nothing;
---- create above / drop below ----
alter table recommendations drop instrument, drop quantity, drop term_months, drop break_even_months, drop stranded, drop claims, drop counted_in;
drop table if exists level_days;
