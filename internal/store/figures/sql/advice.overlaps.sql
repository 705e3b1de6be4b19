update recommendations r
set counted_in = o.counted_in
from recommendations x
left join unnest($2::uuid[], $3::uuid[]) o (recommendation_id, counted_in) on o.recommendation_id = x.recommendation_id
where r.tenant_id = $1 and x.tenant_id = r.tenant_id and x.recommendation_id = r.recommendation_id and r.counted_in is distinct from o.counted_in
