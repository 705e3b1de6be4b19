-- Those that nobody decided on go with their evidence; the others stay and no
-- longer hold.
with gone as (
  delete from recommendations r
  where r.tenant_id = $1 and r.recommendation_id <> all ($2::uuid[])
    and not exists (select from recommendation_states s where s.tenant_id = r.tenant_id and s.recommendation_id = r.recommendation_id)
)
update recommendations r set holds = false
from recommendation_states s
where r.tenant_id = $1 and s.tenant_id = r.tenant_id and s.recommendation_id = r.recommendation_id and r.holds and r.recommendation_id <> all ($2::uuid[])
