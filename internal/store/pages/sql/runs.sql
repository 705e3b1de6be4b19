-- The timeline of a run, and how far the ledger reaches.

-- name: page.extent
-- All stored time as reports define it (report.bounds), the same for all users; the end of usage, and the end of
-- observations.
select s.first, s.last + interval '1 hour' as "end", coalesce(s.used_until, s.last + interval '1 hour') as used,
  k.at as seen
from stored_hours s
left join known_until k on k.tenant_id = s.tenant_id
where s.tenant_id = $1

-- name: page.fiscal
-- The versions of the policy, if any has a fiscal calendar: most ledgers have none, and parse nothing for it.
select version, document from policy_versions
where tenant_id = $1 and withdrawn_at is null and exists (
  select from policy_versions where tenant_id = $1 and withdrawn_at is null and strpos(document, 'fiscal_calendar') > 0)
order by created_at, version

-- name: page.run_checkpoints
-- Checkpoints posted for a run, or reported by workloads of its attempts inside those attempts (docs/rules.md 6.9).
select distinct c.at
from attempts a
join segments s on s.tenant_id = a.tenant_id and s.attempt_id = a.attempt_id
join workloads w on w.tenant_id = s.tenant_id and w.workload_id = s.workload_id
join checkpoint_facts c on c.tenant_id = w.tenant_id and c.cluster = w.cluster and c.namespace = w.namespace
  and c.pod in (w.name, w.uid)
where a.tenant_id = $1 and a.run_id = $2 and c.at > a.started_at and c.at <= a.ended_at
union
select c.at
from checkpoint_facts c join attempts a on a.tenant_id = c.tenant_id and a.run_id = c.run and c.at > a.started_at
  and c.at <= a.ended_at
where c.tenant_id = $1 and c.run = $2
order by 1

-- name: page.run_interruptions
-- Spot interruption warnings for machines while the run held them.
select distinct n.node_id, e.at
from spans s
join nodes n on n.tenant_id = s.tenant_id and n.node_id = s.node_id
join warning_words e on e.tenant_id = n.tenant_id and e.instance_id = n.instance_id
where s.tenant_id = $1 and s.run_id = $2 and e.kind = 'interruption_warning' and e.at >= s.from_at and e.at <= s.to_at
order by e.at, n.node_id

-- name: page.run_lines
-- Bill lines, or rates if there is no bill yet, by their share of a run; $3 lines at most, with their total number.
with lines as (
  select p.charge_id, p.rate_id, p.currency, min(t.delivery_id::text)::uuid as delivery_id,
         sum(p.effective_cost) as amount
  from postings p
  left join part_words t on t.tenant_id = p.tenant_id and t.hour = p.hour and t.part_id = p.part_id
  where p.tenant_id = $1 and p.run_id = $2
  group by p.charge_id, p.rate_id, p.currency
), top as (
  select *, count(*) over () as total from lines order by amount desc nulls last, charge_id, rate_id limit $3
)
select top.charge_id, coalesce(c.source_file, '') as file, coalesce(c.line, 0) as line,
  coalesce(r.source, '') as source, top.currency, coalesce(top.amount, 0) as effective, top.total
from top
left join delivery_words d on d.tenant_id = $1 and d.delivery_id = top.delivery_id
left join lateral (
  select l.source_file, l.line from charge_words l where l.tenant_id = $1 and l.delivery = d.number
    and l.charge_id = top.charge_id offset 0
) c on true
left join posted_rates r on r.tenant_id = $1 and r.rate_id = top.rate_id
order by top.amount desc nulls last, top.charge_id, top.rate_id

-- name: page.run_nodes
-- The machines that a run held.
select node_id as id, name, instance_id, coalesce(instance_type, '') as instance_type, coalesce(region, '') as region,
  coalesce(zone, '') as zone, coalesce(price_class, '') as price_class, coalesce(gpu_model, '') as gpu_model, gpus
from nodes
where tenant_id = $1 and node_id in (select node_id from spans where tenant_id = $1 and run_id = $2)
order by name, node_id

-- name: page.run_prices
-- The price of a run per GPU-hour held, by the price class of the machines.
select coalesce(n.price_class, '') as class, p.currency, sum(p.effective_cost) as effective,
  sum(p.gpu_hours) as gpu_hours
from postings p
join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id
where p.tenant_id = $1 and p.run_id = $2
group by 1, 2
having sum(p.gpu_hours) > 0 and sum(p.effective_cost) is not null
order by 1, 2

-- name: page.run_samples
-- Sample hours of the slots that a run held; $3 slots at most.
select held.node_id, held.slot, held.slice_id, h.hour, h.vectors
from (
  select node_id, slot, coalesce(slice_id, -1) as slice_id, min(from_at) as first, max(to_at) as last
  from spans
  where tenant_id = $1 and run_id = $2
  group by node_id, slot, coalesce(slice_id, -1)
  order by slot, node_id, coalesce(slice_id, -1)
  limit $3
) held
join nodes n on n.tenant_id = $1 and n.node_id = held.node_id
join sample_words h on h.tenant_id = $1 and h.cluster = n.cluster and h.node = n.name
  and h.hour > held.first - interval '1 hour' and h.hour < held.last
  and h.device_index = held.slot and h.slice_id = held.slice_id

-- name: page.run_spans
-- The devices that a run held, stretch by stretch.
select node_id, slot, coalesce(slice_id, -1) as slice_id, attempt_id as attempt, cause, from_at as "from", to_at as "to"
from spans
where tenant_id = $1 and run_id = $2
order by node_id, slot, 3, from_at
