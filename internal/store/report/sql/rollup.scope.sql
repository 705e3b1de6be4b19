-- What the scope of whoever asks is of: whole teams, no cluster, owners of which teams.
select coalesce(s.whole_teams, false), coalesce(s.anywhere, false), s.teams from session_scope() s
