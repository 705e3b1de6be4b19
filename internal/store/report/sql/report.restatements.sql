-- What deliveries changed when they replaced others.
select r.delivery_id, r.replaced, d.source, d.export, d.partition_key as partition, r.restated_at,
       nullif(x.account, '') as account, nullif(x.service_name, '') as service_name, x.billing_period, x.currency,
       coalesce(x.added, 0) as added, coalesce(x.removed, 0) as removed, coalesce(x.changed, 0) as changed,
       coalesce(x.effective_cost, 0) as effective_cost, coalesce(x.billed_cost, 0) as billed_cost,
       coalesce(x.list_cost, 0) as list_cost, coalesce(x.contracted_cost, 0) as contracted_cost,
       case when exists (
         select from charge_scopes c join period_states s on s.tenant_id = c.tenant_id and s.calendar = 'billing' and s.name = c.billing_period
           and s.billing_account = c.billing_account and s.state = 'closed'
         where c.tenant_id = @tenant and c.delivery = d.number and c.account = x.account and c.billing_period = x.billing_period)
       then 'final' else 'open' end as state,
       d.state as delivery_state
from restatements r
join deliveries d on d.tenant_id = @tenant and d.delivery_id = r.delivery_id
left join restatement_deltas x on x.tenant_id = @tenant and x.delivery_id = r.delivery_id and x.replaced = r.replaced
where r.tenant_id = @tenant and (@billing_period is null or x.billing_period = @billing_period)
