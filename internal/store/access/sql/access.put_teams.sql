insert into scope_teams (tenant_id, scope_id, team, cluster)
select $1, $2, m.team, m.cluster from unnest($3::text[], $4::text[]) m (team, cluster)
