-- The time for which datasets have data that is not in the hours of the ledger: the start of the first row, the end of
-- the last, and whether a row goes on. Row-level security applies: a scoped user gets the time of the rows in the scope.

-- name: window.ledger
select s.first, s.last + interval '1 hour' as "end", false as open from stored_hours s where s.tenant_id = $1

-- name: window.charges
-- A period selects lines by their start.
select to_timestamp(min(r.starts)) as first, to_timestamp(max(r.starts)) + interval '1 hour' as "end", false as open
from charge_rows r
join deliveries d on d.tenant_id = r.tenant_id and d.number = r.delivery and d.state = 'current'
where r.tenant_id = $1

-- name: window.statement_lines
select min(l.day) as first, max(l.day) + interval '1 day' as "end", false as open
from statement_lines l
join statement_words t on t.tenant_id = l.tenant_id and t.billing_account = l.billing_account
  and t.billing_period = l.billing_period and t.version = l.version
where l.tenant_id = $1

-- name: window.stored_annotations
select min(a.at) as first, max(greatest(a.at + interval '1 second', a.until)) as "end", false as open
from annotations a
where a.tenant_id = $1

-- name: window.events
select min(e.at) as first, max(e.at) + interval '1 second' as "end", false as open
from (
  select min(at) as at from instance_events where tenant_id = $1
  union all select max(at) from instance_events where tenant_id = $1
  union all select min(at) from workload_events where tenant_id = $1
  union all select max(at) from workload_events where tenant_id = $1
) e

-- name: window.checkpoints
select min(c.at) as first, max(c.at) + interval '1 second' as "end", false as open
from checkpoint_facts c
where c.tenant_id = $1

-- name: window.samples
select min(s.hour) as first, max(s.hour) + interval '1 hour' as "end", false as open
from sample_summaries s
where s.tenant_id = $1

-- name: window.llm_usage
select min(c.hour) as first, max(c.hour) + interval '1 hour' as "end", false as open
from llm_calls c
where c.tenant_id = $1

-- name: window.workloads
-- A workload without a first time overlaps every period.
select min(coalesce(w.hold_from, f.scheduled_at, f.created_at, f.first_seen, f.started_at)) as first,
  max(coalesce(w.hold_to, f.completed_at, f.terminal_at, f.last_seen)) + interval '1 second' as "end",
  coalesce(bool_or(coalesce(w.hold_to, f.completed_at, f.terminal_at, f.last_seen) is null), false) as open
from workload_facts f
left join workloads w on w.tenant_id = f.tenant_id and w.cluster = f.cluster and w.uid = f.uid
where f.tenant_id = $1

-- name: window.waits
select min(f.created_at) as first, max(f.created_at) + interval '1 second' as "end", false as open
from workload_facts f
where f.tenant_id = $1 and (f.asked_units is distinct from 0 or f.asked_replicas > 0)

-- name: window.runs
select min(coalesce(r.started_at, r.created_at)) as first, max(r.ended_at) as "end",
  coalesce(bool_or(r.ended_at is null), false) as open
from runs r
where r.tenant_id = $1

-- name: window.attempts
select min(a.started_at) as first, max(a.ended_at) as "end", coalesce(bool_or(a.running), false) as open
from attempts a
where a.tenant_id = $1

-- name: window.results
select min(q.at) as first, max(q.at) + interval '1 second' as "end", false as open
from experiment_results q
where q.tenant_id = $1

-- name: window.interruptions
select min(i.at) as first, max(i.at) + interval '1 second' as "end", false as open
from spot_interruptions i
where i.tenant_id = $1

-- name: window.findings
select min(f.from_at) as first, max(f.to_at) as "end", false as open
from findings f
where f.tenant_id = $1

-- name: window.recommendations
select min(r.from_at) as first, max(r.to_at) as "end", false as open
from recommendations r
where r.tenant_id = $1

-- name: window.served_names
select min(n.day) as first, max(n.day) + interval '1 day' as "end", false as open
from served_names n
where n.tenant_id = $1
