-- What is in a scope by now: the digest of its members, and what questions ask of it.
update scopes set digest = $3, whole_teams = $4, anywhere = $5, teams = $6 where tenant_id = $1 and scope_id = $2
