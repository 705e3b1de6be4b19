-- Apart from the limit: a server that looks for the first of rows that are not there
-- looks each up, instead of joining them.
with wrong as materialized (
select p.posting_id, p.hour, p.node_id, p.part_id, p.usage_id, p.owner_id, p.cause, u.cause as usage_cause, o.owner_id is null as no_owner,
  p.usage_id is not null and u.usage_id is null as no_usage, p.cause is null as no_terms
from postings p
left join owners o on o.tenant_id = $1 and o.owner_id = p.owner_id
left join usage u on u.tenant_id = $1 and u.usage_id = p.usage_id and u.hour = p.hour and u.node_id = p.node_id
where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3
  and (o.owner_id is null or p.cause is null
    or p.usage_id is not null and (u.usage_id is null
      or (p.cause, p.activity, p.node_id, p.slot, p.owner_id) is distinct from (u.cause, u.activity, u.node_id, nullif(u.slot, -1), u.owner_id)
      or (p.slice_id, p.workload_id, p.run_id, p.attempt_id) is distinct from (u.slice_id, u.workload_id, u.run_id, u.attempt_id)))
)
select * from wrong limit 5
