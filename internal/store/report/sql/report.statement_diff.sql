-- Every two versions of one statement, by owner and cause.
select d.billing_account, d.billing_period, d.old_version::bigint as old_version, d.new_version::bigint as new_version, d.cause,
       @owner_columns,
       d.currency, 'final'::text as state,
       d.old_effective_cost, d.old_billed_cost, d.old_list_cost, d.old_contracted_cost,
       d.new_effective_cost, d.new_billed_cost, d.new_list_cost, d.new_contracted_cost,
       coalesce(d.new_effective_cost, 0) - coalesce(d.old_effective_cost, 0) as difference_effective_cost, coalesce(d.new_billed_cost, 0) - coalesce(d.old_billed_cost, 0) as difference_billed_cost,
       coalesce(d.new_list_cost, 0) - coalesce(d.old_list_cost, 0) as difference_list_cost, coalesce(d.new_contracted_cost, 0) - coalesce(d.old_contracted_cost, 0) as difference_contracted_cost
from (
  select a.billing_account, a.billing_period, a.version as old_version, b.version as new_version, l.owner_id, l.cause, l.currency,
    sum(l.effective_cost) filter (where l.version = a.version) as old_effective_cost, sum(l.billed_cost) filter (where l.version = a.version) as old_billed_cost,
    sum(l.list_cost) filter (where l.version = a.version) as old_list_cost, sum(l.contracted_cost) filter (where l.version = a.version) as old_contracted_cost,
    sum(l.effective_cost) filter (where l.version = b.version) as new_effective_cost, sum(l.billed_cost) filter (where l.version = b.version) as new_billed_cost,
    sum(l.list_cost) filter (where l.version = b.version) as new_list_cost, sum(l.contracted_cost) filter (where l.version = b.version) as new_contracted_cost
  from statements a
  join statements b on b.tenant_id = a.tenant_id and b.billing_account = a.billing_account and b.billing_period = a.billing_period and b.version > a.version
  join ( -- added up once per version
    select x.billing_account, x.billing_period, x.version, x.owner_id, x.cause, x.currency, sum(x.effective_cost) as effective_cost, sum(x.billed_cost) as billed_cost,
      sum(x.list_cost) as list_cost, sum(x.contracted_cost) as contracted_cost
    from statement_lines x
    where x.tenant_id = @tenant and (@billing_period is null or x.billing_period = @billing_period)
    group by 1, 2, 3, 4, 5, 6
  ) l on l.billing_account = a.billing_account and l.billing_period = a.billing_period and l.version in (a.version, b.version)
  where a.tenant_id = @tenant and (@billing_period is null or a.billing_period = @billing_period)
  group by 1, 2, 3, 4, 5, 6, 7
) d
left join owners o on o.tenant_id = @tenant and o.owner_id = d.owner_id
where (d.old_effective_cost, d.old_billed_cost, d.old_list_cost, d.old_contracted_cost) is distinct from (d.new_effective_cost, d.new_billed_cost, d.new_list_cost, d.new_contracted_cost)
