insert into inbox (tenant_id, receiver, number, kind, sender, received_at, body)
select $1, $2, $3 + n - 1, kind, sender, received_at, body
from unnest($4::text[], $5::text[], $6::timestamptz[], $7::bytea[]) with ordinality as r (kind, sender, received_at, body, n)
