-- Node-days to recompute, and why.

-- name: dirty.list
-- Days whose minutes were dropped, and the day after them, are not recomputed.
select node_id, day, max(mark_id) as mark
from dirty
where tenant_id = $1 and (day > coalesce((select r.dropped_before from sample_retention r where r.tenant_id = $1),
    '-infinity')
    or node_id = '00000000-0000-0000-0000-000000000000') -- parts without a node need no minutes
  and ($2::timestamptz is null or day + interval '1 day' > $2) and ($3::timestamptz is null or day < $3)
group by node_id, day
order by node_id, day

-- name: dirty.touch_attempts
with o as (select * from attempts where tenant_id = $1),
changed as (
  select coalesce(o.attempt_id, n.attempt_id) as attempt_id,
    o.started_at as old_from, o.ended_at as old_to, n.started_at as new_from, n.ended_at as new_to,
    coalesce(o.running and n.running
      and to_jsonb(o) - array['ended_at', 'last_checkpoint_at', 'nodes', 'gpus', 'pricing']
        = to_jsonb(n) - array['ended_at', 'last_checkpoint_at', 'nodes', 'gpus', 'pricing'], false) as only_end
  from o full join next_attempts n on n.attempt_id = o.attempt_id
  where row(o.*) is distinct from row(n.*)
-- days show why the previous attempt ended, and the kind of the run (docs/figures.md 20.1, 20.2)
), renamed as (
  select z.attempt_id, z.started_at, z.ended_at
  from next_attempts z
  left join o b on b.run_id = z.run_id and b.task = z.task and b.attempt = z.attempt - 1
  left join next_attempts n on n.run_id = z.run_id and n.task = z.task and n.attempt = z.attempt - 1
  where coalesce(b.reason = 'spot_interruption', false) <> coalesce(n.reason = 'spot_interruption', false)
  union
  select z.attempt_id, z.started_at, z.ended_at
  from runs r
  join next_runs n on n.run_id = r.run_id and n.kind <> r.kind
  join next_attempts z on z.run_id = n.run_id
  where r.tenant_id = $1
), extent as (
  select attempt_id, least(old_to, new_to) as from_at, greatest(old_to, new_to) as to_at from changed where only_end
  union all
  select attempt_id, old_from, old_to from changed where not only_end and old_from is not null
  union all
  select attempt_id, new_from, new_to from changed where not only_end and new_from is not null
  union all
  select attempt_id, started_at, ended_at from renamed
), place as (
  select s.attempt_id, w.node_id, s.from_at, s.to_at
  from segments s join workloads w on w.tenant_id = s.tenant_id and w.workload_id = s.workload_id
  where s.tenant_id = $1
  union
  select s.attempt_id, w.node_id, s.from_at, s.to_at
  from next_segments s join next_workloads w on w.workload_id = s.workload_id
)
insert into touched
select distinct p.node_id, greatest(p.from_at, e.from_at), least(p.to_at, e.to_at), 'attempt'
from extent e join place p using (attempt_id)
where p.from_at <= e.to_at and p.to_at >= e.from_at

-- name: dirty.touch_managed
-- Jobs of managed services have no node; metered parts near them in time may be theirs (rule 8.21). Charges last a
-- month at most.
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
  select least(o.hold_from, n.hold_from) - interval '32 days' as from_at,
    greatest(o.hold_to, n.hold_to) + interval '32 days' as to_at
  from moved m left join o using (workload_id) left join n using (workload_id)
)
insert into touched
select distinct '00000000-0000-0000-0000-000000000000'::uuid,
  date_trunc('day', p.hour, 'UTC') + interval '12 hours', date_trunc('day', p.hour, 'UTC') + interval '13 hours',
  'metered'
from extent e
join parts p on p.tenant_id = $1 and p.node_id is null and p.kind = 'metered' and p.hour >= e.from_at
  and p.hour < e.to_at

-- name: dirty.touch_nodes
with o as (select * from nodes where tenant_id = $1),
changed as (
  select coalesce(o.node_id, n.node_id) as node_id,
    o.appeared_at as old_from, o.gone_at as old_to, n.appeared_at as new_from, n.gone_at as new_to,
    o.dark_days as old_dark, n.dark_days as new_dark,
    coalesce(to_jsonb(o) - array['gone_at', 'dark_days'] = to_jsonb(n) - array['gone_at', 'dark_days'],
      false) as only_when
  from o full join next_nodes n on n.node_id = o.node_id
  where row(o.*) is distinct from row(n.*)
)
insert into touched
select node_id, least(old_to, new_to), greatest(old_to, new_to), 'node life' from changed where only_when
union all
select c.node_id, lower(d.days), upper(d.days), 'node life'
from changed c cross join lateral unnest((c.old_dark + c.new_dark) - (c.old_dark * c.new_dark)) d (days)
where c.only_when
union all
select node_id, old_from, old_to, 'node' from changed where not only_when
union all
select node_id, new_from, new_to, 'node' from changed where not only_when
union all
select c.node_id, k.day, k.day + interval '1 day', 'node'
from changed c join chunks k on k.tenant_id = $1 and k.node_id = c.node_id where not only_when
union all
select c.node_id, p.hour, p.hour + interval '1 hour', 'node'
from changed c join parts p on p.tenant_id = $1 and p.node_id = c.node_id where not only_when

-- name: dirty.touch_segments
with o as (select * from segments where tenant_id = $1),
changed as (
  select coalesce(o.workload_id, n.workload_id) as workload_id,
    case when o.weight = n.weight and row(o.loss_basis, o.loss_from) is not distinct from row(n.loss_basis,
        n.loss_from) then least(o.to_at, n.to_at) else coalesce(o.from_at, n.from_at) end as from_at,
    greatest(o.to_at, n.to_at) as to_at
  from o full join next_segments n
    on n.attempt_id = o.attempt_id and n.workload_id = o.workload_id and n.from_at = o.from_at
  where row(o.*) is distinct from row(n.*)
)
insert into touched
select w.node_id, c.from_at, c.to_at, 'segment'
from changed c
join (select workload_id, node_id from workloads where tenant_id = $1
      union select workload_id, node_id from next_workloads) w on w.workload_id = c.workload_id

-- name: dirty.touch_workloads
-- Labels are not compared: nothing is computed from them.
with o as (
  select tenant_id, workload_id, cluster, namespace, name, uid, kind, service, owner_name, class, node_id, hold_from,
    hold_to, outcome, reason, run_id, owner_id
  from workloads where tenant_id = $1
),
n as (
  select tenant_id, workload_id, cluster, namespace, name, uid, kind, service, owner_name, class, node_id, hold_from,
    hold_to, outcome, reason, run_id, owner_id
  from next_workloads
),
changed as (
  select o.node_id as old_node, o.hold_from as old_from, o.hold_to as old_to,
    n.node_id as new_node, n.hold_from as new_from, n.hold_to as new_to,
    coalesce(to_jsonb(o) - 'hold_to' = to_jsonb(n) - 'hold_to', false) as only_end
  from o full join n on n.workload_id = o.workload_id
  where row(o.*) is distinct from row(n.*)
)
insert into touched
select old_node, least(old_to, new_to), greatest(old_to, new_to), 'hold end' from changed where only_end
union all
select old_node, old_from, old_to, 'hold' from changed where not only_end
union all
select new_node, new_from, new_to, 'hold' from changed where not only_end

-- name: dirty.work
-- The work of a calculation: marks from before it began, and its own marks. Later marks belong to the next calculation,
-- because this one has not read all the changes they announce. Days whose minutes were dropped, and the day after them,
-- are not recomputed.
select node_id, day, max(mark_id) as mark
from dirty
where tenant_id = $1 and (mark_id <= $4 or calculation_id = $5)
  and (day > coalesce((select r.dropped_before from sample_retention r where r.tenant_id = $1), '-infinity')
    or node_id = '00000000-0000-0000-0000-000000000000') -- parts without a node need no minutes
  and ($2::timestamptz is null or day + interval '1 day' > $2) and ($3::timestamptz is null or day < $3)
group by node_id, day
order by node_id, day

-- name: double.forget
delete from machine_doubles where tenant_id = $1

-- name: double.hours
select node_id, min(hour) as from, max(hour) + interval '1 hour' as to
from parts
where tenant_id = $1 and node_id = any($2::uuid[]) and kind = 'provisional'
  and (effective_cost > 0 or method = 'may be billed')
group by node_id

-- name: double.put
-- The common cost of two machines is double, in each currency; for a machine that no bill names, all its provisional
-- cost. Hours that may be billed have no cost, so only time may be double. Without cost or hours there is no suspicion.
insert into machine_doubles (tenant_id, number, what, cluster, name, other_cluster, other_name, from_at, to_at,
    currency, cost)
with pairs as (
  select * from unnest($2::text[], $3::uuid[], $4::uuid[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[],
      $10::timestamptz[], $11::timestamptz[])
    with ordinality p (what, first, second, sides, cluster, name, other_cluster, other_name, from_at, to_at, number)
), costs as (
  select p.number, p.sides, q.currency, q.node_id, sum(q.effective_cost) as cost
  from pairs p
  join parts q on q.tenant_id = $1 and q.node_id in (p.first, p.second)
    and q.hour >= date_trunc('hour', p.from_at, 'UTC') and q.hour < p.to_at
  where q.effective_cost is not null and (p.sides = 2 or q.kind = 'provisional')
  group by p.number, p.sides, q.currency, q.node_id
), doubles as (
  select number, currency, min(cost) as cost from costs group by number, sides, currency
  having count(*) = sides and min(cost) > 0
)
select $1, p.number, p.what, p.cluster, p.name, p.other_cluster, p.other_name, p.from_at, p.to_at,
  coalesce(d.currency, ''), d.cost
from pairs p
left join doubles d on d.number = p.number
where p.sides = 2 or d.number is not null or exists (
  select 1 from parts q
  where q.tenant_id = $1 and q.node_id = p.second and q.kind = 'provisional' and q.method = 'may be billed'
    and q.hour >= date_trunc('hour', p.from_at, 'UTC') and q.hour < p.to_at)
