select p.workload_id, p.hour, p.currency, p.state, p.cause, sum(p.effective_cost), sum(p.billed_cost), sum(p.list_cost), sum(p.contracted_cost),
       coalesce(sum(p.gpu_hours), 0)
from postings p
where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3 and p.workload_id = any($4::uuid[]) and p.cause = any($5::text[])
group by p.workload_id, p.hour, p.currency, p.state, p.cause
order by p.workload_id, p.hour, p.currency, p.state, p.cause
