delete from sign_in_requests where tenant_id = $1 and digest = $2 and expires_at > $3
returning nonce, verifier, back
