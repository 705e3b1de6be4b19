-- Usage rows of machines on a day with what they cost, once per currency.
select u.node_id, u.usage_id, u.hour, u.slot, coalesce(u.slice_id, -1), coalesce(u.device, ''), coalesce(u.mig_profile, ''), u.workload_id, u.attempt_id,
       u.cause, u.active_seconds, u.quality, coalesce(u.capacity_gpu_hours, 0), p.currency, p.state, p.effective_cost
from usage u
left join (
  select usage_id, currency, max(state) as state, sum(effective_cost) as effective_cost -- final < open < provisional: the least settled
  from postings
  where tenant_id = $1 and hour >= $2 and hour < $2 + interval '1 day' and node_id = any($3::uuid[]) and usage_id is not null and effective_cost is not null
  group by usage_id, currency
) p on p.usage_id = u.usage_id
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $2 + interval '1 day' and u.node_id = any($3::uuid[])
order by u.node_id, u.hour, u.usage_id, p.currency
