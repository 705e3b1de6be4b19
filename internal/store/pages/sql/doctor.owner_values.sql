-- Values of owners by dimension, with the workloads that have them.
select v.dimension, v.value, count(w.workload_id)
from owners o
cross join lateral jsonb_each_text(o.labels) v (dimension, value)
left join workloads w on w.tenant_id = o.tenant_id and w.owner_id = o.owner_id
where o.tenant_id = $1 and v.value <> ''
group by 1, 2
