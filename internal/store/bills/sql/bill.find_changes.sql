with lines as (
  select true as fresh, l.* from next_odd x join charge_lines l on l.tenant_id = $1 and l.delivery = $2 and l.charge_id = x.charge_id where x.fresh
  union all
  select false, l.* from next_odd x join charge_lines l on l.tenant_id = $1 and l.delivery = $3 and l.charge_id = x.charge_id where not x.fresh
)
insert into next_changes
select fresh, charge_id, billing_account, account, coalesce(service_name, ''), billing_period, currency, effective_cost, billed_cost, list_cost, contracted_cost, alike,
  row_number() over (partition by fresh, alike order by charge_id)
from lines cross join lateral (select array[line_item_type, account, resource_id, usage_type, charge_start::text, charge_end::text]) k(alike)
