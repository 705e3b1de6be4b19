-- The audit log.
select a.number, a.at, a.actor, a.action, a.subject, a.detail, encode(a.hash, 'hex') as hash
from audit_log a
where a.tenant_id = @tenant
