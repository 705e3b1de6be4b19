with starts as (
  select workload_id, from_at from segments where tenant_id = $1 and from_at >= $2 and from_at < $3 group by workload_id, from_at
)
select a.workload_id, a.from_at, sum(b.weight) as weight, count(*) as segments
from starts a
join segments b on b.tenant_id = $1 and b.workload_id = a.workload_id and b.from_at <= a.from_at and b.to_at > a.from_at
group by a.workload_id, a.from_at
having sum(b.weight) > 1000000 or min(b.weight) < 1
limit 5
