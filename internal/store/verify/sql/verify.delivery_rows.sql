select d.delivery_id, d.export, d.partition_key, d.rows as rows_delivered, c.charges + coalesce(a.more, 0) as rows_kept
from deliveries d
cross join lateral (select count(*) as charges from charge_rows r where r.tenant_id = $1 and r.delivery = d.number offset 0) c
left join (select delivery, sum(lines - 1) as more from charge_aggregates where tenant_id = $1 group by delivery) a on a.delivery = d.number
where d.tenant_id = $1 and d.number is not null and d.rows <> c.charges + coalesce(a.more, 0)
  and ($2::text is null or exists (select from control_totals t where t.tenant_id = $1 and t.delivery_id = d.delivery_id and t.billing_period = $2))
order by d.partition_key, d.delivery_id
limit 5
