-- Of the time that training held, what was on spot machines.
insert into target_days (tenant_id, day, target, subject, unit, currency, numerator, denominator)
select $1, $2, 'spot_adoption', '', '', '', coalesce(sum(u.gpu_hours) filter (where n.price_class = 'spot'), 0), sum(u.gpu_hours)
from usage u
join runs r on r.tenant_id = u.tenant_id and r.run_id = u.run_id and r.kind in ('training', 'fine_tuning')
join nodes n on n.tenant_id = u.tenant_id and n.node_id = u.node_id
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $2::timestamptz + interval '24 hours'
having sum(u.gpu_hours) > 0
