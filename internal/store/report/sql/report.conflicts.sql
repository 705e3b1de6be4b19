-- Values that lost against others, with what is kept. Machines under one name
-- stay facts of their own, so that they are compared where they lie.
select c.what, c.cluster, c.subject, nullif(concat_ws('/', nullif(w.namespace, ''), w.name), '') as name,
       case c.what when 'workload_node' then w.node when 'workload_owner' then w.owner_kind || '/' || w.owner_name
         else (select max(d.node) from devices d where d.tenant_id = @tenant and d.cluster = c.cluster and d.device = c.subject and d.node > c.value
           and d.first_hour <= c.last_hour and d.last_hour >= c.first_hour) end as kept,
       c.value as other,
       coalesce(c.first_hour, least(w.created_at, w.first_seen)) as first_seen,
       coalesce(c.last_hour + interval '1 hour', greatest(w.completed_at, w.last_seen)) as last_seen,
       null as currency, null::numeric as may_be_double
from fact_conflicts c
left join workload_facts w on w.tenant_id = @tenant and w.cluster = c.cluster and w.uid = c.subject and c.what in ('workload_node', 'workload_owner')
where c.tenant_id = @tenant
union all
select 'node_machine', a.cluster, a.name, null, a.provider_id, b.provider_id, greatest(a.first_seen, b.first_seen), least(a.last_seen, b.last_seen), null, null
from node_facts a
join node_facts b on b.tenant_id = @tenant and b.cluster = a.cluster and b.name = a.name and b.instance_id < a.instance_id and b.instance_id <> ''
where a.tenant_id = @tenant and a.first_seen <= b.last_seen and b.first_seen <= a.last_seen
union all
select d.what, d.other_cluster, d.other_name, null, concat_ws('/', nullif(d.cluster, ''), d.name), concat_ws('/', nullif(d.other_cluster, ''), d.other_name),
       d.from_at, d.to_at, nullif(d.currency, ''), d.cost
from machine_doubles d
where d.tenant_id = @tenant
