-- The models that served names are joined with: those of the owners that runs and
-- workloads have now.
select o.model
from owners o
where o.tenant_id = $1 and o.model <> ''
  and o.owner_id in (
    select w.owner_id from workloads w where w.tenant_id = $1
    union select r.owner_id from runs r where r.tenant_id = $1)
group by o.model
