-- Of the postings that close.postings made final, and of pairs.
select distinct policy_version collate "C" from (
  select p.policy_version from postings p join closing_parts c on c.part_id = p.part_id and c.hour = p.hour
  where p.tenant_id = $1 and p.hour >= $4 and p.hour <= $5
  union
  select s.policy_version from shares s where s.tenant_id = $1 and s.billing_account = $2 and s.billing_period = $3 and s.state = 'final'
) v order by 1
