-- Money of machines by what a commitment has to do with it, for
-- report.commitments, report.commitment_demand, levels and their days
-- (docs/figures.md, 19.4, 22.1). Work: what held them and did not idle.
select p.hour, p.owner_id, o.team, p.state, p.currency, u.use, coalesce(nullif(c.provider, ''), v.provider) as provider, nullif(c.billing_account, '') as billing_account,
       coalesce(nullif(c.account, ''), nullif(n.account, '')) as account, coalesce(nullif(n.region, ''), nullif(c.region, '')) as region, nullif(n.cluster, '') as cluster,
       case when u.use <> 'on_demand' then nullif(c.commitment_id, '') end as commitment,
       case when u.use <> 'on_demand' then u.class end as commitment_type,
       t.instance_type,
       @instance_family(t.instance_type) as instance_family,
       nullif(n.gpus, 0)::bigint as gpus, p.gpu_hours, p.capacity_gpu_hours,
       case when p.workload_id is null or p.cause in ('held_idle', 'overhead') then 'none' when k.class = 'run' then 'training' when k.class = 'service' then 'serving' else 'other' end as work,
       p.effective_cost, case when u.use in ('covered', 'on_demand') then coalesce(p.contracted_cost, p.list_cost) end as worth
from postings p
-- By the window and not by the hour of the posting: the server would take the two
-- for independent, expect a handful of rows, and read all lines of bills for each.
join parts b on b.tenant_id = @tenant and b.hour >= @from and b.hour < @to and b.part_id = p.part_id
left join nodes n on n.tenant_id = @tenant and n.node_id = p.node_id
left join workloads k on k.tenant_id = @tenant and k.workload_id = p.workload_id
left join owners o on o.tenant_id = @tenant and o.owner_id = p.owner_id
left join rates f on f.tenant_id = @tenant and f.rate_id = p.rate_id
left join (
  select d.delivery_id, l.* from deliveries d cross join lateral ( -- offset 0: by number, so that replaced deliveries are not read
    select * from charge_lines x where x.tenant_id = @tenant and x.delivery = d.number offset 0) l
  where d.tenant_id = @tenant and d.delivery_id in (
    select z.delivery_id from parts z where z.tenant_id = @tenant and z.hour >= @from and z.hour < @to)
) c on c.delivery_id = b.delivery_id and c.charge_id = b.charge_id
cross join lateral (select @provider(n.provider_id) as provider) v
cross join lateral (select coalesce(nullif(n.instance_type, ''), nullif(c.instance_type, '')) as instance_type) t
cross join lateral (
  select w.class, case when b.kind = 'commitment_unused' then 'unused'
              when b.kind = 'commitment_fee' then 'fee'
              when p.kind = 'amortise' or c.kind = 'covered_usage' or w.class in ('savings_plan', 'reserved') then 'covered'
              when w.class = 'on_demand' then 'on_demand' end as use
  from (select coalesce(nullif(c.price_class, ''), nullif(f.price_class, ''), case when c.commitment_id like '%:savingsplan%' then 'savings_plan' when c.commitment_id <> '' then 'reserved' end) as class) w
) u
where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to
  and b.kind in ('compute', 'commitment_fee', 'commitment_unused') and u.use is not null
