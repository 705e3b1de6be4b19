insert into touched
select distinct n.node_id, greatest(n.appeared_at, t.hour), least(n.gone_at, t.hour + interval '1 hour'), t.reason
from touched_names t join nodes n on n.tenant_id = $1 and n.cluster = t.cluster and n.name = t.name
where n.appeared_at < t.hour + interval '1 hour' and n.gone_at > t.hour
