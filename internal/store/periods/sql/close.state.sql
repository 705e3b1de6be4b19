-- What keeps the period $3 of account $2 from being closed; it is [$4, $5).
select
  coalesce((select s.state = 'closed' from period_states s where s.tenant_id = $1 and s.calendar = 'billing' and s.name = $3 and s.billing_account = $2), false),
  not exists (select from parts p where p.tenant_id = $1 and p.billing_account = $2 and p.billing_period = $3),
  coalesce((
    select array_agg(e.billing_period order by e.billing_period) from (
      select distinct p.billing_period from parts p
      where p.tenant_id = $1 and p.billing_account = $2 and p.billing_period < $3 and not p.final
        and not exists (select from period_states s where s.tenant_id = $1 and s.calendar = 'billing' and s.name = p.billing_period and s.billing_account = $2 and s.state = 'closed')
    ) e), '{}'),
  (select count(*) from (
    select distinct d.node_id, d.day from dirty d
    where d.tenant_id = $1 and d.reason <> 'closed' -- drops provisional cost, which no statement holds
      and (d.reason = 'parts' or d.day > coalesce((select r.dropped_before from sample_retention r where r.tenant_id = $1), '-infinity'))
      and (d.day >= $4 and d.day < $5 or exists (
        select from parts p
        where p.tenant_id = $1 and p.hour >= d.day and p.hour < d.day + interval '1 day' and p.billing_account = $2 and p.billing_period = $3
          and coalesce(p.node_id, '00000000-0000-0000-0000-000000000000') = d.node_id))
  ) w),
  (select count(*) from deliveries d
   where d.tenant_id = $1 and d.state = 'current' and d.fleet_digest = ''
     and exists (select from control_totals t where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id and t.role = 'book')
     and exists (select from charge_scopes c where c.tenant_id = d.tenant_id and c.delivery = d.number and c.billing_account = $2)),
  coalesce((select array_agg(i.source || ' of ' || i.uri order by i.started_at) from imports i
   where i.tenant_id = $1 and i.state = 'running' and coalesce(i.progress_at, i.started_at) > $6::timestamptz - interval '15 minutes'), '{}'), -- others died
  (select count(*) from parts p
   join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id
   join coverage c on c.tenant_id = n.tenant_id and c.account = n.account
   where p.tenant_id = $1 and p.hour >= $4 and p.hour < $5 and p.kind = 'provisional' and p.hour + interval '1 hour' <= c.covered_until
     and (p.effective_cost is not null or p.billed_cost is not null or p.list_cost is not null or p.contracted_cost is not null)
     and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = p.node_id and x.day = date_trunc('day', p.hour, 'UTC') and x.reason = 'closed'))
