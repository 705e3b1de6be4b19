-- Money and quantities, row by row: all postings, and usage that no bill and no
-- rate covers, as rows without cost. A usage row is uncovered exactly when its
-- node-hour has no part that carries quantities (docs/rules.md 8.4, 8.14).
select p.hour, p.part_id, p.rate_id, p.usage_id, p.billing_period, p.cause, p.quality, p.state, p.currency, p.owner_id,
       p.node_id, p.device, p.slice_id, p.mig_profile, p.workload_id, p.run_id, p.attempt_id,
       p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost,
       p.gpu_hours, p.capacity_gpu_hours, p.active_gpu_hours, p.energy_kwh
from postings p
where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to
union all
select u.hour, null::uuid, null::uuid, u.usage_id, null::text, u.cause, u.quality, 'provisional', null::text, u.owner_id,
       u.node_id, u.device, u.slice_id, u.mig_profile, u.workload_id, u.run_id, u.attempt_id,
       null::numeric, null::numeric, null::numeric, null::numeric,
       u.gpu_hours, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh
from (
  select c.node_id, c.day + h.n * interval '1 hour' as hour
  from chunks c cross join generate_series(0, 23) h(n)
  where c.tenant_id = @tenant and c.usage_rows > 0
    and c.day > @from - interval '1 day' and c.day < @to
    and not exists (
      select from parts b
      where b.tenant_id = @tenant and b.node_id = c.node_id and b.hour = c.day + h.n * interval '1 hour'
        and b.usage_seconds is not null)
) uncovered
join usage u on u.tenant_id = @tenant and u.node_id = uncovered.node_id and u.hour = uncovered.hour
where u.hour >= @from and u.hour < @to
