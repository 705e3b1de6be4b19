select r.kind, r.cluster, r.namespace, r.workload_kind, r.name, r.currency, r.from_at, r.to_at, coalesce(s.status, 'open')
from recommendations r
left join recommendation_states s on s.tenant_id = r.tenant_id and s.recommendation_id = r.recommendation_id
where r.tenant_id = $1 and r.recommendation_id = $2
for update of r
