-- Attempts by id, or by run and number.
select attempt_id, started_at, ended_at from attempts
where tenant_id = $1 and (attempt_id = $2 or run_id = $3 and attempt = $4)
