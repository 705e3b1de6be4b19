-- Columns of bills in the terms of FOCUS that no other column has, so that they leave as they came.
set local lock_timeout = '5s';

create table charge_details (
  tenant_id int not null, delivery int not null, detail int not null,
  columns jsonb not null,                         -- name in FOCUS -> text
  primary key (tenant_id, delivery, detail)
);

-- The details of a line; null: of a bill that was imported before. Its priced, consumed and committed quantity and its
-- effective cost in the currency of prices; null: the usage amount is both the priced and the consumed quantity.
alter table charge_rows add column detail int, add column quantities numeric[];

-- Lines of bills, and the parts that they were cut into, for datasets of FOCUS (store/access: words). They show scoped
-- users no amount: statements only relate visible postings to them.
create view focus_lines as
select r.tenant_id, r.delivery, r.charge_id, to_timestamp(r.starts) as charge_start, to_timestamp(r.ends) as charge_end,
  s.billing_account, s.account, s.billing_period, s.currency, i.provider, i.kind, i.category, i.class, i.service_name,
  i.service_code, i.description, i.region, i.zone, i.instance_type, i.price_class, i.commitment_id, i.usage_unit,
  p.resource_id, r.tag_set, d.columns, r.quantities,
  coalesce(r.usage * 0.000000000001, r.exact[5]) as usage_amount,
  coalesce(r.effective * 0.000000000001, r.exact[1]) as effective_cost,
  coalesce(r.billed * 0.000000000001, r.exact[2]) as billed_cost,
  coalesce(r.list * 0.000000000001, r.exact[3]) as list_cost,
  coalesce(r.contracted * 0.000000000001, r.exact[4]) as contracted_cost,
  exists (select from charge_aggregates a where a.tenant_id = r.tenant_id and a.delivery = r.delivery
    and a.charge_id = r.charge_id) as aggregated
from charge_rows r
left join charge_scopes s on s.tenant_id = r.tenant_id and s.delivery = r.delivery and s.scope = r.scope
left join charge_items i on i.tenant_id = r.tenant_id and i.delivery = r.delivery and i.item = r.item
left join charge_resources p on p.tenant_id = r.tenant_id and p.delivery = r.delivery and p.resource = r.resource
left join charge_details d on d.tenant_id = r.tenant_id and d.delivery = r.delivery and d.detail = r.detail;
create view focus_parts as
select tenant_id, hour, part_id, charge_id, delivery_id, kind, posting_kind, billing_account, billing_period,
  currency, final, reverses, replaces, effective_cost, billed_cost, list_cost, contracted_cost
from parts;
---- create above / drop below ----
drop view focus_parts, focus_lines;
alter table charge_rows drop column detail, drop column quantities;
drop table charge_details;
