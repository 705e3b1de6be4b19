-- Deliveries of an append-only export that count, the oldest first, with the rows that they have.
select d.delivery_id, d.aggregated, r.rows, d.delivered_at,
  array(select p.place from delivery_places p where p.tenant_id = d.tenant_id and p.delivery_id = d.delivery_id order by p.place_id),
  array(select p.sha256 from delivery_places p where p.tenant_id = d.tenant_id and p.delivery_id = d.delivery_id order by p.place_id)
from deliveries d
left join delivery_rows r on r.tenant_id = d.tenant_id and r.delivery_id = d.delivery_id
where d.tenant_id = $1 and d.source = $2 and d.export = $3 and d.scope = $4 and d.dataset = $5 and d.partition_key = $6 and d.state = 'current'
order by d.published_at, d.delivery_id
