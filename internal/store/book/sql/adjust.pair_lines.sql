-- Which line replaces which: same resource, usage type, operation, kind and
-- charge period, in the order of the ids.
insert into replaced_lines
with fresh as (
  select c.charge_id, k.alike, row_number() over (partition by k.alike order by c.charge_id) as nth
  from closed_charges c
  join deliveries d on d.tenant_id = $1 and d.delivery_id = $2
  cross join lateral (select * from charge_lines x where x.tenant_id = $1 and x.delivery = d.number and x.charge_id = c.charge_id offset 0) l
  cross join lateral (select array[l.kind, l.account, l.resource_id, l.usage_type, l.operation, l.charge_start::text, l.charge_end::text]) k(alike)
  where c.current and not c.same
), gone as (
  select c.charge_id, k.alike, row_number() over (partition by k.alike order by c.charge_id) as nth
  from closed_charges c
  join deliveries d on d.tenant_id = $1 and d.delivery_id = c.old_delivery
  cross join lateral (select * from charge_lines x where x.tenant_id = $1 and x.delivery = d.number and x.charge_id = c.charge_id offset 0) l
  cross join lateral (select array[l.kind, l.account, l.resource_id, l.usage_type, l.operation, l.charge_start::text, l.charge_end::text]) k(alike)
  where c.final and not c.same
)
select f.charge_id, g.charge_id from fresh f join gone g on g.alike is not distinct from f.alike and g.nth = f.nth
