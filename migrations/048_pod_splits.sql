-- What a provider's own split gives pods, of runs or not.
set local lock_timeout = '5s';

create view pod_splits as
select w.tenant_id, w.workload_id, w.run_id, c.currency, s.resource, s.used, s.unused
from workloads w
join charge_splits s on s.tenant_id = w.tenant_id and s.pod_uid = w.uid
join deliveries d on d.tenant_id = s.tenant_id and d.number = s.delivery and d.state = 'current'
join charge_scopes c on c.tenant_id = s.tenant_id and c.delivery = s.delivery and c.scope = s.scope
where w.uid <> '' and exists (
  select from control_totals t
  where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id and t.account = c.account and t.billing_period = c.billing_period
    and t.currency = c.currency and t.role = 'book');
create or replace view run_splits as
select tenant_id, run_id, currency, resource, used, unused from pod_splits where run_id is not null;
---- create above / drop below ----
create or replace view run_splits as
select w.tenant_id, w.run_id, c.currency, s.resource, s.used, s.unused
from workloads w
join charge_splits s on s.tenant_id = w.tenant_id and s.pod_uid = w.uid
join deliveries d on d.tenant_id = s.tenant_id and d.number = s.delivery and d.state = 'current'
join charge_scopes c on c.tenant_id = s.tenant_id and c.delivery = s.delivery and c.scope = s.scope
where w.run_id is not null and w.uid <> '' and exists (
  select from control_totals t
  where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id and t.account = c.account and t.billing_period = c.billing_period
    and t.currency = c.currency and t.role = 'book');
drop view pod_splits;
