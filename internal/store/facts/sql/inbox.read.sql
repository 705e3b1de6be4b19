select number, kind, sender, received_at, body
from (
  select *, sum(length(body)) over (order by number) - length(body) as before
  from inbox where tenant_id = $1 and receiver = $2 and number > $3
  order by number limit 500
) as r
where before < 4000000
order by number
