-- Changes that wait, or waited, for a second person. What nobody decided on in time has expired.
select c.change_id, c.kind, c.subject, case when c.state = 'waiting' and c.expires_at <= now() then 'expired' else c.state end as state,
       c.asked_by, c.asked_as, c.asked_at, c.expires_at, c.asked::jsonb ->> 'reason' as reason,
       c.decided_by, c.decided_at, c.note, c.asked, encode(c.digest, 'hex') as digest
from changes c
where c.tenant_id = @tenant
