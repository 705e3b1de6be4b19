-- A run and a set of postings as sums.

-- name: explain.attempts
-- Attempts by id, or by run and number.
select attempt_id, started_at as "from", ended_at as "to" from attempts
where tenant_id = $1 and (attempt_id = $2 or run_id = $3 and attempt = $4)

-- name: explain.frozen
-- Evidence of node-hours that was kept when their period was closed.
select e.node_id as node, e.hour, e.document
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join hour_evidence e on e.tenant_id = $1 and e.node_id = k.node_id and e.hour = k.hour

-- name: explain.line_words
-- The bill lines of parts, without amounts.
select k.place, n.name as node, b.kind, c.source_file as file, c.line, c.service_name as service,
  coalesce(d.state = 'current', false) as current
from unnest($2::int[], $3::uuid[], $4::timestamptz[]) k(place, part_id, hour)
join part_words b on b.tenant_id = $1 and b.hour = k.hour and b.part_id = k.part_id
left join nodes n on n.tenant_id = $1 and n.node_id = b.node_id
left join delivery_words d on d.tenant_id = $1 and d.delivery_id = b.delivery_id
left join lateral (
  select * from charge_words l where l.tenant_id = $1 and l.delivery = d.number and l.charge_id = b.charge_id offset 0
) c on true

-- name: explain.own_run_shares
-- Amounts posted to a run, per part; users who may see the run get all of them.
select @part_share(p)
from postings_of_runs p where p.tenant_id = $1 and p.run_id = $2
group by p.part_id, p.hour, p.currency

-- name: explain.posted_rows
-- Number of postings in the chunks of a window.
select coalesce(sum(c.posting_rows), 0) from chunks c where c.tenant_id = $1 and c.day >= $2 and c.day < $3

-- name: explain.run_hours
-- Node-hours in which a run has usage. Its workloads narrow the search, because usage has no index by run.
select distinct u.node_id as node, u.hour
from (
  select w.node_id, min(w.hold_from) as first, max(w.hold_to) as last
  from workloads w where w.tenant_id = $1 and w.run_id = $2 and w.node_id is not null
  group by w.node_id
) h
join usage u on u.tenant_id = $1 and u.node_id = h.node_id
  and u.hour > coalesce(h.first, '-infinity') - interval '1 hour' and u.hour < coalesce(h.last, 'infinity')
where u.run_id = $2
order by u.hour, u.node_id

-- name: explain.run_shares
-- Amounts posted to a run, per part.
select @part_share(p)
from postings p where p.tenant_id = $1 and p.run_id = $2
group by p.part_id, p.hour, p.currency

-- name: explain.run_splits
-- Cost of a run's pods in the provider's own split.
select s.resource, s.currency, sum(s.used) as used, sum(s.unused) as unused, count(*) as rows
from run_splits s
where s.tenant_id = $1 and s.run_id = $2
group by s.resource, s.currency
order by s.currency, s.resource

-- name: explain.run_whole
-- Parts that go to a run without a usage row.
select distinct p.part_id, p.hour
from postings p where p.tenant_id = $1 and p.run_id = $2 and p.usage_id is null

-- name: explain.set_hours
-- Usage rows of machines, a device, attempts or a single row, with their node-hours.
select p.node_id as node, p.hour, p.usage_id
from usage p where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3
  and ($4::uuid[] is null or p.node_id = any($4)) and ($5::text is null or p.device = $5)
  and ($6::uuid[] is null or p.attempt_id = any($6)) and ($7::uuid is null or p.usage_id = $7)
order by p.hour, p.node_id

-- name: explain.set_shares
-- Amounts posted to machines, a device, attempts or a usage row, per part.
select @part_share(p)
from postings p where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3
  and ($4::uuid[] is null or p.node_id = any($4)) and ($5::text is null or p.device = $5)
  and ($6::uuid[] is null or p.attempt_id = any($6)) and ($7::uuid is null or p.usage_id = $7)
group by p.part_id, p.hour, p.currency

-- name: explain.set_whole
-- Parts of the set that go to it without a usage row.
select distinct p.part_id, p.hour
from postings p where p.usage_id is null and p.tenant_id = $1 and p.hour >= $2 and p.hour < $3
  and ($4::uuid[] is null or p.node_id = any($4)) and ($5::text is null or p.device = $5)
  and ($6::uuid[] is null or p.attempt_id = any($6)) and ($7::uuid is null or p.usage_id = $7)

-- name: explain.share
-- All sides of the pool that a share belongs to, with their owners.
select s.hour as day, s.pool_id, s.cluster, s.cause, s.from_owner as owner, s.billing_account,
  coalesce(s.billing_period, '') as billing_period, s.currency, s.state, coalesce(s.commitment, '') as commitment,
  s.policy_version as version, s.method, s.rule, s.share_id, s.kind, s.owner_id as payer,
  s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, s.weight, s.weight_of,
  coalesce(s.team_weight, 0) as team_weight, coalesce(s.team_weight_of, 0) as team_weight_of,
  array[s.pool_effective_cost, s.pool_billed_cost, s.pool_list_cost, s.pool_contracted_cost] as total,
  coalesce(o.team, '') as team
from shares a
join shares s on s.tenant_id = a.tenant_id and s.hour = a.hour and s.pool_id = a.pool_id
left join owners o on o.tenant_id = s.tenant_id and o.owner_id = s.owner_id
where a.tenant_id = $1 and a.share_id = $2
order by s.owner_id

-- name: explain.share_postings
-- The postings that a pool of sharing adds up, in order.
select p.posting_id as id, p.hour, coalesce(n.name, '') as node, p.effective_cost, p.billed_cost, p.list_cost,
  p.contracted_cost
from postings p
left join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id
left join parts b on b.tenant_id = p.tenant_id and b.hour = p.hour and b.part_id = p.part_id
where p.tenant_id = $1 and p.hour >= $2 and p.hour < $2 + interval '1 day' and p.workload_id is null
  and coalesce(n.cluster, '') = $3 and p.cause = $4 and p.owner_id = $5 and coalesce(b.billing_account, '') = $6
    and coalesce(p.billing_period, '') = $7
  and p.currency = $8 and p.state = $9
order by p.hour, p.posting_id

-- name: explain.thaw
-- Evidence of node-hours that are no longer frozen.
delete from hour_evidence e
where e.tenant_id = $1 and not exists (select from frozen_hours f where f.tenant_id = e.tenant_id
  and f.node_id = e.node_id and f.hour = e.hour)

-- name: explain.unfrozen
-- Frozen node-hours without evidence.
select f.node_id as node, f.hour from frozen_hours f
where f.tenant_id = $1
  and not exists (select from hour_evidence e where e.tenant_id = f.tenant_id and e.node_id = f.node_id
    and e.hour = f.hour)
order by f.hour, f.node_id
