insert into delivery_coverage (tenant_id, delivery_id, account, covered_until)
select tenant_id, $3, account, max(charge_end)
from next_charges
where tenant_id = $1 and slot = $2 and instance_hours and kind in ('usage', 'covered_usage')
group by tenant_id, account
on conflict do nothing
