select owner_id, coalesce(business_unit, ''), coalesce(team, ''), coalesce(project, ''), coalesce(environment, '')
from owners where tenant_id = $1 and owner_id <> '00000000-0000-0000-0000-000000000000'
order by owner_id
