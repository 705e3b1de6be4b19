-- Usage that no bill and no rate covers, as facts without cost. A usage row is
-- uncovered exactly when its node-hour has no part that carries quantities
-- (docs/rules.md 8.4, 8.14).
select u.hour, null::uuid as part_id, null::uuid as rate_id, u.usage_id, null::text as billing_period, u.cause, u.quality,
       'provisional'::text as state, null::text as currency, u.owner_id,
       u.node_id, u.device, u.slice_id, u.mig_profile, u.workload_id, u.run_id, u.attempt_id,
       'direct'::text as kind, null::text as pair_cluster, null::text as pair_account,
       null::numeric as effective_cost, null::numeric as billed_cost, null::numeric as list_cost, null::numeric as contracted_cost,
       u.gpu_hours, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh
from (
  select c.node_id, c.day + h.n * interval '1 hour' as hour
  from chunks c cross join generate_series(0, 23) h(n)
  where c.tenant_id = @tenant and (c.usage_rows > 0 or exists (select from frozen_hours f where f.tenant_id = c.tenant_id and f.node_id = c.node_id and f.hour >= c.day and f.hour < c.day + interval '1 day'))
    and c.day > @from - interval '1 day' and c.day < @to
    and not exists (
      select from part_words b
      where b.tenant_id = @tenant and b.node_id = c.node_id and b.hour = c.day + h.n * interval '1 hour'
        and b.hour > @from - interval '1 day' and b.hour < @to + interval '1 day' and b.usage_seconds is not null)
) uncovered
cross join lateral ( -- offset 0: look these few up, never scan all of usage for them
  select * from @used v where v.tenant_id = @tenant and v.node_id = uncovered.node_id and v.hour = uncovered.hour offset 0
) u
where u.hour >= @from and u.hour < @to
