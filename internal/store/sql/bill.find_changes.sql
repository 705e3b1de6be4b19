with odd as materialized (
  select n.charge_id as added, o.charge_id as removed
  from (select charge_id from charge_rows where tenant_id = $1 and delivery = $2) n
  full join (select charge_id from charge_rows where tenant_id = $1 and delivery = $3) o on o.charge_id = n.charge_id
  where n.charge_id is null or o.charge_id is null
), lines as (
  select true as fresh, l.* from odd join charge_lines l on l.tenant_id = $1 and l.delivery = $2 and l.charge_id = odd.added
  union all
  select false, l.* from odd join charge_lines l on l.tenant_id = $1 and l.delivery = $3 and l.charge_id = odd.removed
)
insert into next_changes
select fresh, charge_id, billing_account, account, coalesce(service_name, ''), billing_period, currency, effective_cost, billed_cost, list_cost, contracted_cost, alike,
  row_number() over (partition by fresh, alike order by charge_id)
from lines cross join lateral (select array[line_item_type, account, resource_id, usage_type, charge_start::text, charge_end::text]) k(alike)
