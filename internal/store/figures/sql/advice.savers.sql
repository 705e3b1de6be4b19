-- What adds up to what can still be saved, as a rate: lives differ, and of few
-- days no month is told.
select r.recommendation_id, r.currency, round(r.saving / coalesce(nullif(r.lifetime_hours, 0), extract(epoch from r.to_at - r.from_at) / 3600), 12), r.claims
from recommendations r
left join recommendation_states s on s.tenant_id = r.tenant_id and s.recommendation_id = r.recommendation_id
where r.tenant_id = $1 and r.holds and r.saving is not null and coalesce(s.status, 'open') in ('open', 'accepted')
order by r.recommendation_id
