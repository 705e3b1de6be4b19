-- Spot interruption warnings for machines while the run held them.
select distinct n.node_id, e.at
from spans s
join nodes n on n.tenant_id = s.tenant_id and n.node_id = s.node_id
join warning_words e on e.tenant_id = n.tenant_id and e.instance_id = n.instance_id
where s.tenant_id = $1 and s.run_id = $2 and e.kind = 'interruption_warning' and e.at >= s.from_at and e.at <= s.to_at
order by e.at, n.node_id
