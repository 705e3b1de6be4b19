select node_id, day, 0::bigint
from chunks
where tenant_id = $1 and ($2::timestamptz is null or day + interval '1 day' > $2) and ($3::timestamptz is null or day < $3)
order by node_id, day
