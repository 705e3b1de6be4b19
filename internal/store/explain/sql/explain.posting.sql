-- A posting and where it stands.
select p.hour, p.part_id, p.usage_id, p.node_id, p.billing_period, p.cause, p.activity, p.kind, p.adjusts, coalesce(o.team, ''), p.owner_id, p.method, p.quality, p.state,
  p.policy_version, nullif(p.run_id, '')
from postings p
left join owners o on o.tenant_id = p.tenant_id and o.owner_id = p.owner_id
where p.tenant_id = $1 and p.posting_id = $2
