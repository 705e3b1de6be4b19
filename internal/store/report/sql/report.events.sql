-- What befell instances and workloads.
select e.at, 'Instance' as subject, e.kind as event, nullif(e.detail, '') as detail, e.provider, nullif(e.account, '') as account, nullif(e.region, '') as region,
       n.cluster, null::text as namespace, e.instance_id as name, null::text as uid, n.name as node
from instance_events e
left join nodes n on n.tenant_id = @tenant and n.instance_id = e.instance_id and e.instance_id <> ''
where e.tenant_id = @tenant and e.at >= @from and e.at < @to
union all
select e.at, e.kind, e.what, nullif(e.reason, ''), null, null, null, e.cluster, nullif(e.namespace, ''), e.name, nullif(e.uid, ''), null
from workload_events e
where e.tenant_id = @tenant and e.at >= @from and e.at < @to
