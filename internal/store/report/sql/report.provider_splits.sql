-- What the provider's own split of its machines gives workloads, beside what the
-- ledger gives the same pods over all time.
select nullif(w.cluster, '') as cluster, nullif(w.namespace, '') as namespace, nullif(w.name, '') as pod, nullif(w.owner_name, '') as workload,
       nullif(w.kind, '') as workload_kind, nullif(w.class, '') as workload_class, w.run_id as run, @owner_columns,
       s.used_cost, s.unused_cost, s.provider_split_cost, p.effective_cost, p.state, s.currency, w.workload_id::text as pod_id
from (
  select s.workload_id, s.currency, sum(s.used) as used_cost, sum(s.unused) as unused_cost, sum(coalesce(s.used, 0) + coalesce(s.unused, 0)) as provider_split_cost
  from pod_splits s where s.tenant_id = @tenant
  group by s.workload_id, s.currency
) s
join workloads w on w.tenant_id = @tenant and w.workload_id = s.workload_id
left join owners o on o.tenant_id = @tenant and o.owner_id = w.owner_id
left join (
  select p.workload_id, p.currency, sum(p.effective_cost) as effective_cost, max(p.state) as state -- the least settled
  from postings p
  where p.tenant_id = @tenant and p.workload_id in (select s.workload_id from pod_splits s where s.tenant_id = @tenant)
  group by p.workload_id, p.currency
) p on p.workload_id = s.workload_id and p.currency = s.currency
