-- fleet.device_evidence for who sees a part of the books: names of what is in his scope, "" for others, as one.
select e.slice_id, coalesce(w.namespace, ''), coalesce(w.name, ''), e.hour, bit_or(e.minutes)
from hold_words e
left join workloads w on w.tenant_id = $1 and w.workload_id = e.workload_id
where e.tenant_id = $1 and e.cluster = $2 and e.device = $3 and e.hour >= $4 and e.hour <= $5 and e.node = $6
group by e.hour, e.slice_id, 2, 3
order by e.hour desc, e.slice_id, 2, 3
