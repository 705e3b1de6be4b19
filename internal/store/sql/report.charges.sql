-- Bill lines of current deliveries.
select c.charge_id, c.delivery_id, c.source_file, c.line, c.provider, c.billing_account, c.account,
       nullif(c.resource_id, '') as resource_id, nullif(c.service_name, '') as service_name,
       c.category as charge_category, nullif(c.class, '') as charge_class,
       c.charge_start as charge_period_start, c.charge_end as charge_period_end, c.billing_period, c.currency,
       c.effective_cost, c.billed_cost, c.list_cost, c.contracted_cost,
       case when exists (
         select from control_totals t
         where t.tenant_id = @tenant and t.delivery_id = c.delivery_id and t.account = c.account
           and t.billing_period = c.billing_period and t.currency = c.currency and t.role = 'evidence')
       and not exists (
         select from control_totals t
         where t.tenant_id = @tenant and t.delivery_id = c.delivery_id and t.account = c.account
           and t.billing_period = c.billing_period and t.currency = c.currency and t.role = 'book')
       then 'evidence' else 'book' end as role,
       case when s.state = 'closed' then 'final' else 'open' end as state,
       c.kind, nullif(c.line_item_type, '') as line_item_type, nullif(c.usage_type, '') as usage_type,
       nullif(c.operation, '') as operation, nullif(c.description, '') as description,
       nullif(c.region, '') as region, nullif(c.zone, '') as zone, nullif(c.instance_type, '') as instance_type,
       nullif(c.price_class, '') as pricing, nullif(c.commitment_id, '') as commitment,
       c.usage_amount, nullif(c.usage_unit, '') as usage_unit
from charges c
join deliveries d on d.tenant_id = @tenant and d.delivery_id = c.delivery_id and d.state = 'current'
left join period_states s on s.tenant_id = @tenant and s.calendar = 'billing' and s.name = c.billing_period
  and s.billing_account = c.billing_account
where c.tenant_id = @tenant and c.charge_start >= @from and c.charge_start < @to
  and (@billing_period is null or c.billing_period = @billing_period)
