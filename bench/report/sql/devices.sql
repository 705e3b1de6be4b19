-- What 10,000 devices add up to, by month of the year and by the newest day: two
-- holders with four causes each, and what nobody held. The days before are not made:
-- they would be 33 million rows, and questions about whole months do not read them.
create temp table spans (at timestamptz, days int, suffix text);
insert into spans select m, extract(day from m + interval '1 month' - interval '1 day')::int, 'months' from generate_series($1::timestamptz, $2::timestamptz - interval '1 month', interval '1 month') m;
insert into spans select $2::timestamptz - interval '1 day', 1, 'days';

create temp table device_rows as
select s.at, s.suffix, n.node_id, d.slot, 'GPU-' || n.name || '-' || d.slot as device, x.n,
  case when x.n < 8 then md5('notebook' || h.nth)::uuid else md5('nobody')::uuid end as owner_id, case when x.n < 8 then 'interactive' end as workload_class,
  case when x.n < 8 then 'team-' || h.nth % 40 end as namespace, (array['used','held_idle','overhead','lost','used','held_idle','overhead','lost','free'])[1 + x.n] as cause,
  case when s.at < '2026-10-01' then 'final' else 'open' end as state, round(s.days * (10 + (hashtext(n.name || d.slot) & 7)) * 1.123456789012, 12) as amount, round(s.days * 24 / 9.0, 12) as hours
from spans s cross join (select node_id, name from nodes where tenant_id = 1 and name like 'node-%') n cross join generate_series(0, 7) d (slot) cross join generate_series(0, 8) x (n)
cross join lateral (select (d.slot * 31 + abs(hashtext(n.name || s.at)) % 128 + x.n / 4) % 200 as nth) h;

create temp table signal_rows as
select r.at, r.suffix, r.node_id, r.slot, r.device, r.owner_id, r.workload_class, r.namespace, b.bins
from device_rows r
cross join lateral (select array_agg((abs(hashtext(r.device || r.owner_id)) % 700 + i * 11 + 1)::bigint << 40 | (1 + i) order by i) as bins from generate_series(0, 19) i) b
where r.n in (0, 4);

do $$
declare s text;
begin
  foreach s in array array['months', 'days'] loop
    execute format('insert into star.device_holder_%1$s (tenant_id, at, node_id, slot, device, owner_id, workload_class, namespace, cause, state, currency, effective_cost, billed_cost, list_cost, contracted_cost,
        gpu_hours, capacity_gpu_hours, known_gpu_hours, active_gpu_hours, held_active_gpu_hours, energy_kwh)
      select 1, at, node_id, slot, device, owner_id, workload_class, namespace, cause, state, ''USD'', amount, amount, amount * 1.7, amount,
        case when n < 8 then hours end, hours, hours, hours / 2, hours / 2, hours / 3 from device_rows where suffix = %1$L', s);
    execute format('insert into star.device_%1$s (tenant_id, at, node_id, slot, device, cause, state, currency, effective_cost, billed_cost, list_cost, contracted_cost,
        gpu_hours, capacity_gpu_hours, known_gpu_hours, active_gpu_hours, held_active_gpu_hours, energy_kwh)
      select tenant_id, at, node_id, slot, device, cause, state, currency, sum(effective_cost), sum(billed_cost), sum(list_cost), sum(contracted_cost),
        sum(gpu_hours), sum(capacity_gpu_hours), sum(known_gpu_hours), sum(active_gpu_hours), sum(held_active_gpu_hours), sum(energy_kwh)
      from star.device_holder_%1$s group by 1, 2, 3, 4, 5, 6, 7, 8', s);
    execute format('insert into star.device_place_%1$s (tenant_id, at, gpu_model, cluster, instance_type, region, zone, pricing, account, cause, state, currency, effective_cost, billed_cost, list_cost, contracted_cost,
        gpu_hours, capacity_gpu_hours, known_gpu_hours, active_gpu_hours, held_active_gpu_hours, energy_kwh)
      select tenant_id, at, n.gpu_model, n.cluster, n.instance_type, n.region, n.zone, n.price_class, nullif(n.account, ''''), cause, state, currency, sum(effective_cost), sum(billed_cost), sum(list_cost), sum(contracted_cost),
        sum(gpu_hours), sum(capacity_gpu_hours), sum(known_gpu_hours), sum(active_gpu_hours), sum(held_active_gpu_hours), sum(energy_kwh)
      from star.device_%1$s join nodes n using (tenant_id, node_id) group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12', s);
    execute format('insert into star.device_seen_%1$s (tenant_id, at, node_id, slot, device, currency, capacity_gpu_hours)
      select tenant_id, at, node_id, slot, device, currency, sum(capacity_gpu_hours) from star.device_%1$s group by 1, 2, 3, 4, 5, 6', s);
    execute format('insert into star.device_holder_place_%1$s (tenant_id, at, gpu_model, cluster, instance_type, region, zone, pricing, account, owner_id, workload_class, namespace, cause, state, currency,
        effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, known_gpu_hours, active_gpu_hours, held_active_gpu_hours, energy_kwh)
      select tenant_id, at, n.gpu_model, n.cluster, n.instance_type, n.region, n.zone, n.price_class, nullif(n.account, ''''), r.owner_id, workload_class, namespace, cause, state, currency,
        sum(effective_cost), sum(billed_cost), sum(list_cost), sum(contracted_cost),
        sum(gpu_hours), sum(capacity_gpu_hours), sum(known_gpu_hours), sum(active_gpu_hours), sum(held_active_gpu_hours), sum(energy_kwh)
      from star.device_holder_%1$s r join nodes n using (tenant_id, node_id) group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15', s);
    execute format('insert into star.device_holder_seen_%1$s (tenant_id, at, node_id, slot, device, owner_id, workload_class, namespace, currency, capacity_gpu_hours)
      select tenant_id, at, node_id, slot, device, owner_id, workload_class, namespace, currency, sum(capacity_gpu_hours) from star.device_holder_%1$s group by 1, 2, 3, 4, 5, 6, 7, 8, 9', s);
    execute format('insert into star.device_signal_holder_%1$s (tenant_id, at, node_id, slot, device, owner_id, workload_class, namespace, throttled_hours, xids,
        activity_minutes, activity_total, activity_bins, sm_minutes, sm_total, sm_bins, memory_minutes, memory_total, memory_bins, power_minutes, power_total, power_bins)
      select 1, at, node_id, slot, device, owner_id, workload_class, namespace, 0.5, case when slot = 3 then array[31, 79]::bigint[] else ''{}'' end,
        210, 99000000, bins, 210, 99000000, bins, 210, 99000000, bins, 210, 99000000, bins from signal_rows where suffix = %1$L', s);
    execute format('insert into star.device_signal_%1$s (tenant_id, at, node_id, slot, device, throttled_hours, xids,
        activity_minutes, activity_total, activity_bins, sm_minutes, sm_total, sm_bins, memory_minutes, memory_total, memory_bins, power_minutes, power_total, power_bins)
      select tenant_id, at, node_id, slot, device, sum(throttled_hours), merged_set(xids), sum(activity_minutes), sum(activity_total), merged_bins(activity_bins), sum(sm_minutes), sum(sm_total), merged_bins(sm_bins),
        sum(memory_minutes), sum(memory_total), merged_bins(memory_bins), sum(power_minutes), sum(power_total), merged_bins(power_bins)
      from star.device_signal_holder_%1$s group by 1, 2, 3, 4, 5', s);
    execute format('insert into star.device_signal_place_%1$s (tenant_id, at, gpu_model, cluster, instance_type, region, zone, pricing, account, throttled_hours, xids,
        activity_minutes, activity_total, activity_bins, sm_minutes, sm_total, sm_bins, memory_minutes, memory_total, memory_bins, power_minutes, power_total, power_bins)
      select tenant_id, at, n.gpu_model, n.cluster, n.instance_type, n.region, n.zone, n.price_class, nullif(n.account, ''''), sum(throttled_hours), merged_set(xids), sum(activity_minutes), sum(activity_total), merged_bins(activity_bins), sum(sm_minutes), sum(sm_total), merged_bins(sm_bins),
        sum(memory_minutes), sum(memory_total), merged_bins(memory_bins), sum(power_minutes), sum(power_total), merged_bins(power_bins)
      from star.device_signal_%1$s join nodes n using (tenant_id, node_id) group by 1, 2, 3, 4, 5, 6, 7, 8, 9', s);
    execute format('insert into star.device_signal_holder_place_%1$s (tenant_id, at, gpu_model, cluster, instance_type, region, zone, pricing, account, owner_id, workload_class, namespace, throttled_hours, xids,
        activity_minutes, activity_total, activity_bins, sm_minutes, sm_total, sm_bins, memory_minutes, memory_total, memory_bins, power_minutes, power_total, power_bins)
      select tenant_id, at, n.gpu_model, n.cluster, n.instance_type, n.region, n.zone, n.price_class, nullif(n.account, ''''), r.owner_id, workload_class, namespace,
        sum(throttled_hours), merged_set(xids), sum(activity_minutes), sum(activity_total), merged_bins(activity_bins), sum(sm_minutes), sum(sm_total), merged_bins(sm_bins),
        sum(memory_minutes), sum(memory_total), merged_bins(memory_bins), sum(power_minutes), sum(power_total), merged_bins(power_bins)
      from star.device_signal_holder_%1$s r join nodes n using (tenant_id, node_id) group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12', s);
  end loop;
end $$;
drop table spans, device_rows, signal_rows
