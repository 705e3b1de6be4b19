-- All stored time as reports define it (report.bounds), for everybody the same;
-- until when anything was used, and until when anything was seen.
select s.first, s.last + interval '1 hour', coalesce(s.used_until, s.last + interval '1 hour'), k.at
from stored_hours s
left join known_until k on k.tenant_id = s.tenant_id
where s.tenant_id = $1
