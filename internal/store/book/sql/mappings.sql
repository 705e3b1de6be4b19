-- Mappings of owners, outside the versions of the policy.

-- name: mapping.current
-- The newest version of each name and day.
select distinct on (name, valid_from) name, version, document
from mappings where tenant_id = $1
order by name, valid_from, version desc

-- name: mapping.put
insert into mappings (tenant_id, name, valid_from, version, document, note, reason, changed_at, changed_by)
values ($1, $2, $3::text::timestamptz, $4, $5, $6, $7, $8, $9)
