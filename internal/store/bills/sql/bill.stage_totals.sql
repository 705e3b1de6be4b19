select s.account, s.billing_period, s.currency, sum(t.charges)::bigint, sum(t.charges + coalesce(a.more, 0))::bigint,
  coalesce(sum(t.effective) * 0.000000000001 + coalesce(sum(t.exact_effective), 0), sum(t.exact_effective)),
  coalesce(sum(t.billed) * 0.000000000001 + coalesce(sum(t.exact_billed), 0), sum(t.exact_billed)),
  coalesce(sum(t.list) * 0.000000000001 + coalesce(sum(t.exact_list), 0), sum(t.exact_list)),
  coalesce(sum(t.contracted) * 0.000000000001 + coalesce(sum(t.exact_contracted), 0), sum(t.exact_contracted))
from (
  select scope, count(*) as charges, sum(effective) as effective, sum(billed) as billed, sum(list) as list, sum(contracted) as contracted,
    sum(exact[1]) as exact_effective, sum(exact[2]) as exact_billed, sum(exact[3]) as exact_list, sum(exact[4]) as exact_contracted
  from :rows group by scope
) t
join next_scopes s on s.slot = $1 and s.scope = t.scope
left join (select scope, sum(lines - 1) as more from next_aggregates where slot = $1 group by scope) a on a.scope = t.scope
group by s.account, s.billing_period, s.currency
