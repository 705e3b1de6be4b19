-- Sign-ins that were begun from address $2 and wait.
select count(*) from sign_in_requests where tenant_id = $1 and address = $2 and expires_at > $3
