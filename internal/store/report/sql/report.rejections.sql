-- Refused rows with their places.
select r.import_id, i.source, r.ordinal::bigint as ordinal, r.file, nullif(r.line, 0) as line, nullif(r.col, '') as "column", r.reason,
       nullif(r.detail, '') as detail
from rejections r
join imports i on i.tenant_id = r.tenant_id and i.import_id = r.import_id
where r.tenant_id = @tenant
