insert into counter_hours
select n.* from next_counters n
where n.tenant_id = $1 and not exists (select from counter_conflicts c where c.cluster = n.cluster and c.namespace = n.namespace and c.pod = n.pod and c.server = n.server and c.model = n.model and c.engine = n.engine and c.hour = n.hour)
on conflict do nothing
