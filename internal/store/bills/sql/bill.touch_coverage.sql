with moved as (
  select coalesce(o.account, n.account) as account, o.covered_until as old, n.covered_until as new
  from (select account, covered_until from coverage where tenant_id = $1) o
  full join next_coverage n on n.account = o.account
  where o.covered_until is distinct from n.covered_until
)
insert into touched
select n.node_id, greatest(n.appeared_at, least(m.old, m.new)), least(n.gone_at, greatest(m.old, m.new)), 'covered'
from (select account, coalesce(old, '-infinity') as old, coalesce(new, '-infinity') as new from moved) m
join nodes n on n.tenant_id = $1 and (n.account = m.account or n.account is null)
where n.appeared_at < greatest(m.old, m.new) and n.gone_at > least(m.old, m.new)
