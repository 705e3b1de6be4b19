-- By how much lives are moved that were read in another zone, of each cluster: the earliest and the latest of them.
with said as (
  select * from unnest($2::text[], $3::timestamptz[]) k (statement, created_at)
), moved as (
  select f.cluster, s.created_at, extract(epoch from f.created_at - s.created_at)::bigint as shift
  from workload_facts f join said s on s.statement = f.statement
  where f.tenant_id = $1 and not exists (select from said o where o.statement = f.statement and o.created_at = f.created_at)
)
select cluster, (array_agg(shift order by created_at))[1], (array_agg(shift order by created_at desc))[1]
from moved group by cluster order by cluster
