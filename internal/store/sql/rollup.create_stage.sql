-- The day by hour and all keys, and then by those of one grain.
create temp table next_rollup (
  hour timestamptz not null,
  billing_period text, cause text not null, kind text not null, currency text, state text not null,
  provider text, billing_account text, account text, region text, zone text, cluster text, instance_type text, gpu_model text,
  mig_profile text, pricing text, commitment text, service_name text, charge_category text,
  namespace text, workload_kind text, workload_class text, service text,
  business_unit text, team text, project text, model text, stage text, environment text, cost_center text, queue text,
  quality text, owner_id uuid, run text,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  gpu_hours numeric, capacity_gpu_hours numeric, active_gpu_hours numeric, energy_kwh numeric
) on commit drop;
create temp table next_grain (group_id uuid not null, like next_rollup including defaults) on commit drop
