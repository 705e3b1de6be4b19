-- Findings and devices of the year, which are not generated day by day.

-- name: findings
-- 60,000 findings of the year: 18 kinds, of all teams, some of which are risks,
-- some without cost or in two currencies.
insert into findings (tenant_id, finding_id, kind, subject, scope, subject_id, from_at, to_at, open, risk, cluster,
    node_id, device, instance_type, gpu_model,
  workload_id, namespace, workload_kind, workload, pod, service, run_id, owner_id, gpu_hours, quality, evidence,
  first_seen, last_seen)
select 1, md5('finding' || i)::uuid, k.kind, 'prod-' || i % 4 || '/team-' || i % 40 || '/pod-' || i, 'holder',
  md5('subject' || i)::uuid, at, at + interval '1 hour' * (1 + i % 90), i % 97 = 0, k.risk,
  'prod-' || i % 4, md5('serving' || i % 24)::uuid, null, null, null, md5('replica' || i % 300 || '-0-0')::uuid,
  'team-' || i % 40, 'Deployment', 'workload-' || i % 900, 'pod-' || i, null, null,
  md5('notebook' || i % 200)::uuid, case when not k.risk then 1 + i % 90 end, 'measured',
  jsonb_build_array(jsonb_build_object('name', 'idle_seconds', 'unit', 'seconds', 'value', i % 90 * 3600 + 3600,
    'threshold', 1800),
    jsonb_build_object('name', 'activity', 'unit', 'ppm', 'value', i % 9000, 'threshold', 10000),
    jsonb_build_object('name', 'memory_used', 'unit', 'bytes', 'value', i::bigint * 1048576)),
  at, at + interval '4 days'
from generate_series(0, 59999) i
cross join lateral (
  select (array['hoarding', 'preprovisioned', 'crashed_job', 'forgotten_notebook', 'held_not_used', 'free_capacity',
    'crash_loop', 'orphaned_node', 'overprovisioned_service', 'throttled', 'xid', 'input_starved', 'memory_bound',
    'communication_bound', 'memory_saturated', 'no_checkpoint', 'node_fragmentation',
    'training_grade_inference'])[1 + i % 18], i % 18 >= 9,
    '2025-12-01 00:00:00+00'::timestamptz + interval '1 year' * (i / 60000.0)
) k (kind, risk, at);
insert into finding_costs (tenant_id, finding_id, currency, state, effective_cost, leads)
select 1, f.finding_id, c.currency, case when f.from_at < '2026-10-01' then 'final' else 'open' end,
  round((hashtext(f.pod) & 4095) * 0.123456789012, 12), c.currency = 'EUR' or hashtext(f.pod) & 63 <> 1
from findings f
cross join unnest(array['USD', 'EUR']) c (currency)
where f.tenant_id = 1 and (c.currency = 'USD' and hashtext(f.pod) & 31 > 0 or hashtext(f.pod) & 63 = 1)

-- name: devices
-- The sums of 10,000 devices, by month of the year and by the newest day: two
-- holders with four causes each, and unheld time. Earlier days are left out: they
-- would be 33 million rows, and queries about whole months do not read them.
create temp table spans (at timestamptz, days int, suffix text);
insert into spans select m, extract(day from m + interval '1 month' - interval '1 day')::int, 'months'
from generate_series($1::timestamptz, $2::timestamptz - interval '1 month', interval '1 month') m;
insert into spans select $2::timestamptz - interval '1 day', 1, 'days';

create temp table device_rows as
select s.at, s.suffix, n.node_id, d.slot, 'GPU-' || n.name || '-' || d.slot as device, x.n,
  case when x.n < 8 then md5('notebook' || h.nth)::uuid else md5('nobody')::uuid end as owner_id,
    case when x.n < 8 then 'interactive' end as workload_class,
  case when x.n < 8 then 'team-' || h.nth % 40 end as namespace,
    (array['used','held_idle','overhead','lost','used','held_idle','overhead','lost','free'])[1 + x.n] as cause,
  case when s.at < '2026-10-01' then 'final' else 'open' end as state,
    round(s.days * (10 + (hashtext(n.name || d.slot) & 7)) * 1.123456789012, 12) as amount,
    round(s.days * 24 / 9.0, 12) as hours
from spans s cross join (select node_id, name from nodes where tenant_id = 1 and name like 'node-%') n
cross join generate_series(0, 7) d (slot) cross join generate_series(0, 8) x (n)
cross join lateral (select (d.slot * 31 + abs(hashtext(n.name || s.at)) % 128 + x.n / 4) % 200 as nth) h;

create temp table signal_rows as
select r.at, r.suffix, r.node_id, r.slot, r.device, r.owner_id, r.workload_class, r.namespace, b.bins
from device_rows r
cross join lateral (select array_agg((abs(hashtext(r.device || r.owner_id)) % 700 + i * 11 + 1)::bigint << 40 | (1 + i)
    order by i) as bins from generate_series(0, 19) i) b
where r.n in (0, 4);

do $$
declare s text;
begin
  foreach s in array array['months', 'days'] loop
    execute format('insert into star.device_holder_%1$s (tenant_id, at, node_id, slot, device, owner_id, workload_class,
      namespace, cause, state, currency, effective_cost, billed_cost, list_cost, contracted_cost,
        gpu_hours, capacity_gpu_hours, known_gpu_hours, active_gpu_hours, held_active_gpu_hours, energy_kwh)
      select 1, at, node_id, slot, device, owner_id, workload_class, namespace, cause, state, ''USD'', amount, amount,
        amount * 1.7, amount,
        case when n < 8 then hours end, hours, hours, hours / 2, hours / 2, hours / 3 from device_rows
        where suffix = %1$L', s);
    execute format('insert into star.device_%1$s (tenant_id, at, node_id, slot, device, cause, state, currency,
      effective_cost, billed_cost, list_cost, contracted_cost,
        gpu_hours, capacity_gpu_hours, known_gpu_hours, active_gpu_hours, held_active_gpu_hours, energy_kwh)
      select tenant_id, at, node_id, slot, device, cause, state, currency, sum(effective_cost), sum(billed_cost),
        sum(list_cost), sum(contracted_cost),
        sum(gpu_hours), sum(capacity_gpu_hours), sum(known_gpu_hours), sum(active_gpu_hours),
        sum(held_active_gpu_hours), sum(energy_kwh)
      from star.device_holder_%1$s group by 1, 2, 3, 4, 5, 6, 7, 8', s);
    execute format('insert into star.device_place_%1$s (tenant_id, at, gpu_model, cluster, instance_type, region, zone,
      pricing, account, cause, state, currency, effective_cost, billed_cost, list_cost, contracted_cost,
        gpu_hours, capacity_gpu_hours, known_gpu_hours, active_gpu_hours, held_active_gpu_hours, energy_kwh)
      select tenant_id, at, n.gpu_model, n.cluster, n.instance_type, n.region, n.zone, n.price_class,
        nullif(n.account, ''''), cause, state, currency, sum(effective_cost), sum(billed_cost), sum(list_cost),
        sum(contracted_cost),
        sum(gpu_hours), sum(capacity_gpu_hours), sum(known_gpu_hours), sum(active_gpu_hours),
        sum(held_active_gpu_hours), sum(energy_kwh)
      from star.device_%1$s join nodes n using (tenant_id, node_id) group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12', s);
    execute format('insert into star.device_seen_%1$s (tenant_id, at, node_id, slot, device, currency,
      capacity_gpu_hours)
      select tenant_id, at, node_id, slot, device, currency, sum(capacity_gpu_hours) from star.device_%1$s
      group by 1, 2, 3, 4, 5, 6', s);
    execute format('insert into star.device_holder_place_%1$s (tenant_id, at, gpu_model, cluster, instance_type, region,
      zone, pricing, account, owner_id, workload_class, namespace, cause, state, currency,
        effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, known_gpu_hours,
        active_gpu_hours, held_active_gpu_hours, energy_kwh)
      select tenant_id, at, n.gpu_model, n.cluster, n.instance_type, n.region, n.zone, n.price_class,
        nullif(n.account, ''''), r.owner_id, workload_class, namespace, cause, state, currency,
        sum(effective_cost), sum(billed_cost), sum(list_cost), sum(contracted_cost),
        sum(gpu_hours), sum(capacity_gpu_hours), sum(known_gpu_hours), sum(active_gpu_hours),
        sum(held_active_gpu_hours), sum(energy_kwh)
      from star.device_holder_%1$s r join nodes n using (tenant_id, node_id)
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15', s);
    execute format('insert into star.device_holder_seen_%1$s (tenant_id, at, node_id, slot, device, owner_id,
      workload_class, namespace, currency, capacity_gpu_hours)
      select tenant_id, at, node_id, slot, device, owner_id, workload_class, namespace, currency,
        sum(capacity_gpu_hours) from star.device_holder_%1$s group by 1, 2, 3, 4, 5, 6, 7, 8, 9', s);
    execute format('insert into star.device_signal_holder_%1$s (tenant_id, at, node_id, slot, device, owner_id,
      workload_class, namespace, throttled_hours, xids,
        activity_minutes, activity_total, activity_bins, sm_minutes, sm_total, sm_bins, memory_minutes, memory_total,
        memory_bins, power_minutes, power_total, power_bins)
      select 1, at, node_id, slot, device, owner_id, workload_class, namespace, 0.5,
        case when slot = 3 then array[31, 79]::bigint[] else ''{}'' end,
        210, 99000000, bins, 210, 99000000, bins, 210, 99000000, bins, 210, 99000000, bins from signal_rows
        where suffix = %1$L', s);
    execute format('insert into star.device_signal_%1$s (tenant_id, at, node_id, slot, device, throttled_hours, xids,
        activity_minutes, activity_total, activity_bins, sm_minutes, sm_total, sm_bins, memory_minutes, memory_total,
        memory_bins, power_minutes, power_total, power_bins)
      select tenant_id, at, node_id, slot, device, sum(throttled_hours), merged_set(xids), sum(activity_minutes),
        sum(activity_total), merged_bins(activity_bins), sum(sm_minutes), sum(sm_total), merged_bins(sm_bins),
        sum(memory_minutes), sum(memory_total), merged_bins(memory_bins), sum(power_minutes), sum(power_total),
        merged_bins(power_bins)
      from star.device_signal_holder_%1$s group by 1, 2, 3, 4, 5', s);
    execute format('insert into star.device_signal_place_%1$s (tenant_id, at, gpu_model, cluster, instance_type, region,
      zone, pricing, account, throttled_hours, xids,
        activity_minutes, activity_total, activity_bins, sm_minutes, sm_total, sm_bins, memory_minutes, memory_total,
        memory_bins, power_minutes, power_total, power_bins)
      select tenant_id, at, n.gpu_model, n.cluster, n.instance_type, n.region, n.zone, n.price_class,
        nullif(n.account, ''''), sum(throttled_hours), merged_set(xids), sum(activity_minutes), sum(activity_total),
        merged_bins(activity_bins), sum(sm_minutes), sum(sm_total), merged_bins(sm_bins),
        sum(memory_minutes), sum(memory_total), merged_bins(memory_bins), sum(power_minutes), sum(power_total),
        merged_bins(power_bins)
      from star.device_signal_%1$s join nodes n using (tenant_id, node_id) group by 1, 2, 3, 4, 5, 6, 7, 8, 9', s);
    execute format('insert into star.device_signal_holder_place_%1$s (tenant_id, at, gpu_model, cluster, instance_type,
      region, zone, pricing, account, owner_id, workload_class, namespace, throttled_hours, xids,
        activity_minutes, activity_total, activity_bins, sm_minutes, sm_total, sm_bins, memory_minutes, memory_total,
        memory_bins, power_minutes, power_total, power_bins)
      select tenant_id, at, n.gpu_model, n.cluster, n.instance_type, n.region, n.zone, n.price_class,
        nullif(n.account, ''''), r.owner_id, workload_class, namespace,
        sum(throttled_hours), merged_set(xids), sum(activity_minutes), sum(activity_total), merged_bins(activity_bins),
        sum(sm_minutes), sum(sm_total), merged_bins(sm_bins),
        sum(memory_minutes), sum(memory_total), merged_bins(memory_bins), sum(power_minutes), sum(power_total),
        merged_bins(power_bins)
      from star.device_signal_holder_%1$s r join nodes n using (tenant_id, node_id)
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12', s);
  end loop;
end $$;
drop table spans, device_rows, signal_rows
