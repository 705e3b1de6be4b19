-- Most slots that one attempt of a run held at once (docs/figures.md 15.6).
select s.run_id, max(s.gpus)::bigint as gpus
from attempts s
where s.tenant_id = @tenant
group by s.run_id
