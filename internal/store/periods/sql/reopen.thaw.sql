-- Hours on whose usage rows postings of other closed periods lie stay frozen.
delete from frozen_hours f
where f.tenant_id = $1 and f.billing_account = $2 and f.billing_period = $3
  and not exists (
    select from postings p
    where p.tenant_id = $1 and p.hour = f.hour and p.node_id = f.node_id and p.usage_id is not null and p.state = 'final')
