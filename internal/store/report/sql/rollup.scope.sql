-- What the scope of whoever asks is of: whole teams, no cluster, owners of which teams.
select coalesce(s.whole_teams, false), coalesce(s.anywhere, false), s.teams
from (values ($1::int)) t (tenant_id) left join session_scope() s on s.tenant_id = t.tenant_id
