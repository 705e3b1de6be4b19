-- Runs of the teams that are advised to move to spot, as far as they were on
-- on-demand machines of the type (docs/figures.md 19.6).
select distinct w.run_id
from workloads w
join nodes n on n.tenant_id = $1 and n.node_id = w.node_id
join owners o on o.tenant_id = $1 and o.owner_id = w.owner_id
join unnest($4::text[], $5::text[], $6::text[]) a (cluster, instance_type, team) on a.cluster = w.cluster and a.instance_type = n.instance_type and a.team = o.team
where w.tenant_id = $1 and w.run_id is not null and w.class = 'run' and n.price_class = 'on_demand' and w.hold_from < $3 and w.hold_to > $2
order by w.run_id
