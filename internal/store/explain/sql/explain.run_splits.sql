-- What the provider's own split gives the pods of a run.
select s.resource, s.currency, sum(s.used), sum(s.unused), count(*)
from run_splits s
where s.tenant_id = $1 and s.run_id = $2
group by s.resource, s.currency
order by s.currency, s.resource
