-- Jobs of managed services are on no node: what is metered near them may be
-- theirs (rule 8.21). Charges last a month at most.
with o as (select * from workloads where tenant_id = $1 and node_id is null and hold_from is not null),
n as (select * from next_workloads where node_id is null and hold_from is not null),
moved as (
  select coalesce(o.workload_id, n.workload_id) as workload_id
  from o full join n on n.workload_id = o.workload_id
  where row(o.*) is distinct from row(n.*)
  union
  select coalesce(s.workload_id, t.workload_id)
  from (select * from segments where tenant_id = $1 and workload_id in (select workload_id from o)) s
  full join (select * from next_segments where workload_id in (select workload_id from n)) t
    on t.attempt_id = s.attempt_id and t.workload_id = s.workload_id and t.from_at = s.from_at
  where row(s.*) is distinct from row(t.*)
),
extent as (
  select least(o.hold_from, n.hold_from) - interval '32 days' as from_at, greatest(o.hold_to, n.hold_to) + interval '32 days' as to_at
  from moved m left join o using (workload_id) left join n using (workload_id)
)
insert into touched
select distinct '00000000-0000-0000-0000-000000000000'::uuid,
  date_trunc('day', p.hour, 'UTC') + interval '12 hours', date_trunc('day', p.hour, 'UTC') + interval '13 hours', 'metered'
from extent e
join parts p on p.tenant_id = $1 and p.node_id is null and p.kind = 'metered' and p.hour >= e.from_at and p.hour < e.to_at
