-- Lines of statements with the teams of their owners.
select l.billing_account, l.billing_period, l.version::bigint as version, l.line::bigint as line,
       case when t.reopened_at is null then 'final' else 'reopened' end as state, l.day,
       nullif(l.provider, '') as provider, nullif(l.account, '') as account, nullif(l.region, '') as region, nullif(l.cluster, '') as cluster, nullif(l.node, '') as node,
       nullif(l.namespace, '') as namespace, nullif(l.workload_kind, '') as workload_kind, nullif(l.service, '') as service, nullif(l.run_id, '') as run_id,
       l.owner_id, coalesce(o.team, 'unowned') as team, o.project, l.cause, l.kind, nullif(l.quality, '') as quality, l.currency,
       l.effective_cost, l.billed_cost, l.list_cost, l.contracted_cost, l.gpu_hours, l.capacity_gpu_hours, l.active_gpu_hours, l.energy_kwh
from statement_lines l
join statement_words t on t.tenant_id = l.tenant_id and t.billing_account = l.billing_account and t.billing_period = l.billing_period and t.version = l.version
left join owners o on o.tenant_id = @tenant and o.owner_id = l.owner_id
where l.tenant_id = @tenant and l.day >= @from and l.day < @to and (@billing_period is null or l.billing_period = @billing_period)
