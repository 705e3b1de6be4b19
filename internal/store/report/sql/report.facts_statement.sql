-- Lines of statements as facts, by day: of one version, or of the newest that
-- counts.
select l.day as hour, l.billing_period, l.cause, nullif(l.quality, '') as quality, 'final'::text as state, l.currency, l.owner_id, l.kind,
       l.provider, l.billing_account, l.account, l.region, l.cluster, l.node, l.namespace, l.workload_kind, l.service, l.run_id,
       l.effective_cost, l.billed_cost, l.list_cost, l.contracted_cost, l.gpu_hours, l.capacity_gpu_hours, l.active_gpu_hours, l.energy_kwh
from statement_lines l
join statements s on s.tenant_id = l.tenant_id and s.billing_account = l.billing_account and s.billing_period = l.billing_period and s.version = l.version
where l.tenant_id = @tenant and l.day >= @from and l.day < @to
  and l.billing_period = @statement_period and (@statement_account = '' or l.billing_account = @statement_account)
  and (s.version = @statement_version or @statement_version = 0 and s.reopened_at is null)
  and (@after_sharing or l.kind not in ('shared_in', 'shared_out'))
