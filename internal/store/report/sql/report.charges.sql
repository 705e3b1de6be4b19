-- Bill lines of current deliveries. offset 0: each delivery is looked up by
-- number, so that replaced ones are not read.
select c.charge_id, d.delivery_id, c.source_file, c.line, c.provider, c.billing_account, c.account,
       nullif(c.resource_id, '') as resource_id, nullif(c.service_name, '') as service_name,
       c.category as charge_category, nullif(c.class, '') as charge_class,
       c.charge_start as charge_period_start, c.charge_end as charge_period_end, c.billing_period, c.currency,
       c.effective_cost, c.billed_cost, c.list_cost, c.contracted_cost,
       coalesce(r.role, 'book') as role,
       case when s.state = 'closed' then 'final' else 'open' end as state,
       c.kind, nullif(c.line_item_type, '') as line_item_type, nullif(c.usage_type, '') as usage_type,
       nullif(c.operation, '') as operation, nullif(c.description, '') as description,
       nullif(c.region, '') as region, nullif(c.zone, '') as zone, nullif(c.instance_type, '') as instance_type,
       nullif(c.price_class, '') as pricing, nullif(c.commitment_id, '') as commitment,
       c.usage_amount, nullif(c.usage_unit, '') as usage_unit,
       nullif(c.instance_key, '') as instance, c.instance_seconds, c.lines,
       case when c.line_ranges is not null then (
         select string_agg(c.line_ranges[n]::text || case when c.line_ranges[n] = c.line_ranges[n + 1] then '' else '-' || c.line_ranges[n + 1] end, ' ' order by n)
         from generate_series(1, cardinality(c.line_ranges), 2) n) end as line_ranges
from deliveries d
cross join lateral (
  select * from charge_lines l
  where l.tenant_id = @tenant and l.delivery = d.number
    and (@from = '-infinity' or l.charge_start >= @from) and (@to = 'infinity' or l.charge_start < @to)
    and (@billing_period is null or l.billing_period = @billing_period)
  offset 0
) c
left join (
  select t.delivery_id, t.account, t.billing_period, t.currency, case when bool_or(t.role = 'book') then 'book' else 'evidence' end as role
  from control_totals t where t.tenant_id = @tenant
  group by t.delivery_id, t.account, t.billing_period, t.currency
) r on r.delivery_id = d.delivery_id and r.account = c.account and r.billing_period = c.billing_period and r.currency = c.currency
left join period_states s on s.tenant_id = @tenant and s.calendar = 'billing' and s.name = c.billing_period
  and s.billing_account = c.billing_account
where d.tenant_id = @tenant and d.state = 'current'
