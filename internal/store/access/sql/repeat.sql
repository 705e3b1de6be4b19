-- Requests with an idempotency key, and their answers. They are read with full access, so each statement tests the
-- client, $2.

-- name: access.claim_key
-- Claims a key that is new, or whose attempt began before $6 and never ended.
insert into kept_answers as k (tenant_id, client, key, digest, claimed_at)
values ($1, $2, $3, $4, $5)
on conflict (tenant_id, client, key) do update set claimed_at = excluded.claimed_at
where k.status is null and k.claimed_at < $6 and k.digest = excluded.digest

-- name: access.kept
select digest, status, content_type as type, location, body from kept_answers
where tenant_id = $1 and client = $2 and key = $3

-- name: access.keep_answer
update kept_answers set status = $5, content_type = $6, location = $7, body = $8
where tenant_id = $1 and client = $2 and key = $3 and claimed_at = $4 and status is null

-- name: access.release_key
delete from kept_answers
where tenant_id = $1 and client = $2 and key = $3 and claimed_at = $4 and status is null

-- name: access.drop_kept
delete from kept_answers where tenant_id = $1 and claimed_at < $2
