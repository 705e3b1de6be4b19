-- What adds up to what can still be saved.
select r.recommendation_id, r.currency, r.saving_per_month, r.claims
from recommendations r
left join recommendation_states s on s.tenant_id = r.tenant_id and s.recommendation_id = r.recommendation_id
where r.tenant_id = $1 and r.holds and coalesce(s.status, 'open') in ('open', 'accepted')
order by r.recommendation_id
