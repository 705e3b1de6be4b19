-- All postings of the parts are final since close.postings; to ask for that
-- would have the server plan by how many were so before.
insert into closing_lines
select $1, $2, $3, $4, row_number() over (order by q.day, q.provider collate "C", q.account collate "C", q.region collate "C", q.cluster collate "C", q.node collate "C",
    q.namespace collate "C", q.workload_kind collate "C", q.service collate "C", q.run_id collate "C", q.owner_id, q.cause collate "C", q.kind collate "C", q.quality collate "C",
    q.currency collate "C"),
  q.*
from (
  select g.day, g.provider, g.account, g.region, g.cluster, g.node, g.namespace, g.workload_kind, g.service, g.run_id, g.owner_id, g.cause, g.kind, g.quality, g.currency,
    trim_scale(sum(g.effective_cost)), trim_scale(sum(g.billed_cost)), trim_scale(sum(g.list_cost)), trim_scale(sum(g.contracted_cost)),
    trim_scale(sum(g.gpu_hours)), trim_scale(sum(g.capacity_gpu_hours)), trim_scale(sum(g.active_gpu_hours)), trim_scale(sum(g.energy_kwh))
  from (
    select p.day, coalesce(nullif(p.provider, ''), @provider(n.provider_id), '') as provider,
      coalesce(nullif(p.account, ''), n.account, '') as account, coalesce(nullif(n.region, ''), p.region, '') as region, coalesce(n.cluster, '') as cluster, coalesce(n.name, '') as node,
      coalesce(w.namespace, '') as namespace, coalesce(w.kind, '') as workload_kind, coalesce(w.service, '') as service, coalesce(p.run_id, '') as run_id,
      p.owner_id, p.cause, p.kind, p.quality, p.currency, p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost,
      p.gpu_hours, p.capacity_gpu_hours, p.active_gpu_hours, p.energy_kwh
    from (
      select date_trunc('day', p.hour, 'UTC') as day, p.node_id, p.workload_id, p.run_id, p.owner_id, p.cause, p.kind, p.quality, p.currency, c.provider, c.account, c.region,
        sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost,
        sum(p.gpu_hours) as gpu_hours, sum(p.capacity_gpu_hours) as capacity_gpu_hours, sum(p.active_gpu_hours) as active_gpu_hours, sum(p.energy_kwh) as energy_kwh
      from postings p join closing_parts c on c.part_id = p.part_id and c.hour = p.hour
      where p.tenant_id = $1 and p.hour >= $5 and p.hour <= $6
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    ) p
    left join nodes n on n.tenant_id = $1 and n.node_id = p.node_id
    left join workloads w on w.tenant_id = $1 and w.workload_id = p.workload_id
    union all
    select s.hour, '', '', '', s.cluster, '', '', '', '', '', s.owner_id, s.cause, s.kind, '', s.currency,
      s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, null, null, null, null
    from shares s
    where s.tenant_id = $1 and s.billing_account = $2 and s.billing_period = $3 and s.state = 'final'
  ) g
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
) q
