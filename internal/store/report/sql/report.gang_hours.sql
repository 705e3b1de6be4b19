-- What attempts paid while their gangs were not complete, by hour: of the
-- overhead that a workload had on a slot and slice in an hour, as its spans say
-- how much of it was before (docs/figures.md 15.2).
select p.hour, p.run_id, p.attempt_id, p.currency, round(sum(p.effective_cost) * d.waiting / d.overhead, 12) as effective_cost
from (
  select y.attempt_id, y.run_id, y.gang_complete_at, y.started_at, y.ended_at
  from attempts y
  where y.tenant_id = @tenant and (y.gang_complete_at is null or y.gang_complete_at > y.started_at)
    and y.started_at < @to and y.ended_at > @from
) a
join @posted p on p.tenant_id = @tenant and p.run_id = a.run_id and p.attempt_id = a.attempt_id and p.cause = 'overhead'
  and p.hour > a.started_at - interval '1 hour' and p.hour < a.ended_at and p.hour >= @from and p.hour < @to
cross join lateral (
  select sum(extract(epoch from least(s.to_at, p.hour + interval '1 hour') - greatest(s.from_at, p.hour))) as overhead,
         sum(greatest(0, extract(epoch from least(s.to_at, p.hour + interval '1 hour', a.gang_complete_at) - greatest(s.from_at, p.hour)))) as waiting
  from spans s
  where s.tenant_id = @tenant and s.run_id = p.run_id and s.attempt_id = p.attempt_id and s.workload_id = p.workload_id
    and s.node_id = p.node_id and s.slot = p.slot and s.slice_id is not distinct from p.slice_id and s.cause = 'overhead'
    and s.day = date_trunc('day', p.hour, 'UTC') and s.from_at < p.hour + interval '1 hour' and s.to_at > p.hour
) d
where d.waiting > 0
group by p.run_id, p.attempt_id, p.currency, p.hour, p.node_id, p.slot, p.slice_id, p.workload_id, d.waiting, d.overhead
