insert into recommendation_states (tenant_id, recommendation_id, status, note, by_name, at, done_day, cost_before, hours_before)
select $1, $2, $3, $4, $5, $6, case when $3 = 'done' then date_trunc('day', least($6::timestamptz, r.to_at), 'UTC') end,
  case when $3 = 'done' and r.currency <> '' then (
    select coalesce(sum(c.effective_cost), 0) from demand_costs c
    where c.tenant_id = r.tenant_id and c.cluster = r.cluster and c.namespace = r.namespace and c.kind = r.workload_kind and c.name = r.name and c.currency = r.currency
      and c.day >= date_trunc('day', r.from_at, 'UTC') and c.day < r.to_at) end,
  case when $3 = 'done' then coalesce(nullif(r.lifetime_hours, 0), extract(epoch from r.to_at - r.from_at)::int / 3600) end
from recommendations r
where r.tenant_id = $1 and r.recommendation_id = $2
on conflict (tenant_id, recommendation_id) do update
set status = excluded.status, note = excluded.note, by_name = excluded.by_name, at = excluded.at, done_day = excluded.done_day, cost_before = excluded.cost_before, hours_before = excluded.hours_before
