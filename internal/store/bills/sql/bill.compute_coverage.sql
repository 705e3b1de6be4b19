insert into next_coverage
select v.account, max(v.covered_until)
from deliveries d
join delivery_coverage v on v.tenant_id = d.tenant_id and v.delivery_id = d.delivery_id
where d.tenant_id = $1 and d.state = 'current'
  and exists (select from control_totals t
    where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id and t.account = v.account and t.role = 'book')
group by v.account
