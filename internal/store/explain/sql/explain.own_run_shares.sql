-- What was posted to a run, per part, whole for who sees the run.
select @part_share(p), p.hour, count(*)
from postings_of_runs p where p.tenant_id = $1 and p.run_id = $2
group by p.part_id, p.hour, p.currency
