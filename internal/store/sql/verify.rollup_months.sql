-- Months that are there, by grain and group, against their days.
with told as (
  select m.grain, m.month, m.group_id, m.effective_cost, m.billed_cost, m.list_cost, m.contracted_cost, m.gpu_hours, m.capacity_gpu_hours, m.active_gpu_hours, m.energy_kwh
  from rollup_months m where m.tenant_id = $1 and m.month >= $2 and m.month < $3
), days as (
  select d.grain, r.month, d.group_id, sum(d.effective_cost) as effective_cost, sum(d.billed_cost) as billed_cost, sum(d.list_cost) as list_cost,
    sum(d.contracted_cost) as contracted_cost, sum(d.gpu_hours) as gpu_hours, sum(d.capacity_gpu_hours) as capacity_gpu_hours,
    sum(d.active_gpu_hours) as active_gpu_hours, sum(d.energy_kwh) as energy_kwh
  from rolled_months r
  join rollup_days d on d.tenant_id = $1 and d.day >= r.month and d.day < (r.month at time zone 'UTC' + interval '1 month') at time zone 'UTC'
  where r.tenant_id = $1 and r.month >= $2 and r.month < $3
  group by 1, 2, 3
)
select coalesce(d.grain, t.grain) as grain, coalesce(d.month, t.month) as month, coalesce(d.group_id, t.group_id) as group_id,
  d.effective_cost as cost_of_days, t.effective_cost as cost_of_month, d.gpu_hours as gpu_hours_of_days, t.gpu_hours as gpu_hours_of_month
from days d
full join told t on t.grain = d.grain and t.month = d.month and t.group_id = d.group_id
where (d.effective_cost, d.billed_cost, d.list_cost, d.contracted_cost, d.gpu_hours, d.capacity_gpu_hours, d.active_gpu_hours, d.energy_kwh)
  is distinct from (t.effective_cost, t.billed_cost, t.list_cost, t.contracted_cost, t.gpu_hours, t.capacity_gpu_hours, t.active_gpu_hours, t.energy_kwh)
order by 1, 2, 3
