select change_id, kind, subject, asked, digest, asked_by, asked_as, asked_id, behind, asked_at, expires_at, state, coalesce(decided_by, ''), decided_at, coalesce(note, '')
from changes where tenant_id = $1 and change_id = $2
