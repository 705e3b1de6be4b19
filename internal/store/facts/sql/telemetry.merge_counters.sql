insert into counter_hours as s (tenant_id, cluster, namespace, pod, server, model, engine, hour, vectors)
select $1, c.cluster, c.namespace, c.pod, c.server, c.model, c.engine, c.hour, m.vectors
from counter_conflicts c join merged_vectors m using (n)
on conflict (tenant_id, cluster, namespace, pod, server, model, engine, hour) do update set vectors = excluded.vectors
where s.vectors <> excluded.vectors
