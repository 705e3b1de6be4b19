-- Labels of workloads that may ask for isolation, by root owner; whether they do
-- is for advice.Isolated to say.
select distinct w.cluster, w.namespace, w.kind, w.owner_name, l.key, l.value
from workloads w
join workload_facts f on f.tenant_id = w.tenant_id and f.cluster = w.cluster and f.uid = w.uid
cross join lateral jsonb_each_text(f.labels) l
where w.tenant_id = $1 and w.hold_from < $3 and w.hold_to > $2 and w.owner_name <> '' and l.key ilike '%isolation%'
order by 1, 2, 3, 4, 5, 6
