-- What those that are done have saved since: the cost per hour of the evidence,
-- less that of the whole days since, times their hours. Of workloads only: what
-- became of a machine that is gone cannot be told from what replaced it.
update recommendations r
set realised_hours = m.hours, realised_saving = case when m.hours >= 24 then round(s.cost_before / s.hours_before * m.hours - m.cost, 12) end
from recommendation_states s
cross join lateral (
  select coalesce(sum(c.effective_cost), 0) as cost,
    greatest(0, extract(epoch from $2::timestamptz - (s.done_day + interval '1 day')) / 3600)::int as hours
  from recommendations x
  left join demand_costs c on c.tenant_id = x.tenant_id and c.cluster = x.cluster and c.namespace = x.namespace and c.kind = x.workload_kind and c.name = x.name
    and c.currency = x.currency and c.day > s.done_day and c.day < $2
  where x.tenant_id = s.tenant_id and x.recommendation_id = s.recommendation_id
) m
where r.tenant_id = $1 and s.tenant_id = r.tenant_id and s.recommendation_id = r.recommendation_id and s.status = 'done' and s.hours_before > 0
