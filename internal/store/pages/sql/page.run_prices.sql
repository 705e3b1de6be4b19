-- What a run paid per GPU-hour held, by the price class of the machines.
select coalesce(n.price_class, ''), p.currency, sum(p.effective_cost), sum(p.gpu_hours)
from postings p
join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id
where p.tenant_id = $1 and p.run_id = $2
group by 1, 2
having sum(p.gpu_hours) > 0 and sum(p.effective_cost) is not null
order by 1, 2
