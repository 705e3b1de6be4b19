select source, nullif(tick, '-infinity'), state, message, listing, versions, looked_at, imported_at
from source_states where tenant_id = $1 and ($2::text is null or source = $2) order by source
