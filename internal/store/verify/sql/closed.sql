-- Closed periods: statements, evidence, chains of hashes.

-- name: verify.audit_head
select number, hash from audit_heads where tenant_id = $1

-- name: verify.audit_log
select number, at, actor, action, subject, detail, previous, hash from audit_log where tenant_id = $1 order by number

-- name: verify.chunks_of_statement
select what, node_id as node, day, digest from statement_chunks
where tenant_id = $1 and billing_account = $2 and billing_period = $3 and version = $4
order by what collate "C", node_id, day

-- name: verify.closed_adjusted
-- Per closed period: everything posted of its lines, in any period, compared with the current bills.
with closed as (
  select billing_account, name as billing_period from period_states
  where tenant_id = $1 and calendar = 'billing' and state = 'closed' and ($2::text is null or name = $2)
), cut as (
  select b.billing_account, coalesce(b.charge_period, b.billing_period) as billing_period, b.currency, b.hour,
    b.node_id, b.part_id
  from closed c
  join parts b on b.tenant_id = $1 and b.billing_account = c.billing_account
    and coalesce(b.charge_period, b.billing_period) = c.billing_period
), posted as (
  select p.billing_account, p.billing_period, p.currency, sum(p.effective_cost) as effective_cost,
    sum(p.billed_cost) as billed_cost,
    sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost
  from (
    select b.billing_account, b.billing_period, b.currency, p.effective_cost, p.billed_cost, p.list_cost,
      p.contracted_cost
    from cut b join postings p on p.tenant_id = $1 and p.hour = b.hour and p.node_id = b.node_id
      and p.part_id = b.part_id
    union all
    select b.billing_account, b.billing_period, b.currency, p.effective_cost, p.billed_cost, p.list_cost,
      p.contracted_cost
    from cut b join postings p on p.tenant_id = $1 and p.hour = b.hour and p.node_id is null and b.node_id is null
      and p.part_id = b.part_id
  ) p
  group by 1, 2, 3
), roles as (
  select t.delivery_id, t.account, t.billing_period, t.currency,
    bool_or(t.metric = 'effective_cost' and t.role = 'book') as effective_cost,
    bool_or(t.metric = 'billed_cost' and t.role = 'book') as billed_cost,
    bool_or(t.metric = 'list_cost' and t.role = 'book') as list_cost,
    bool_or(t.metric = 'contracted_cost' and t.role = 'book') as contracted_cost
  from control_totals t
  where t.tenant_id = $1 and ($2::text is null or t.billing_period = $2)
  group by 1, 2, 3, 4
), book as (
  select l.billing_account, l.billing_period, l.currency,
    sum(l.effective_cost) filter (where r.effective_cost) as effective_cost,
    sum(l.billed_cost) filter (where r.billed_cost) as billed_cost,
    sum(l.list_cost) filter (where r.list_cost) as list_cost,
    sum(l.contracted_cost) filter (where r.contracted_cost) as contracted_cost
  from deliveries d
  cross join lateral (
    select x.billing_account, x.account, x.billing_period, x.currency, x.kind, x.effective_cost, x.billed_cost,
      x.list_cost, x.contracted_cost
    from charge_lines x
    where x.tenant_id = $1 and x.delivery = d.number offset 0) l
  join closed c on c.billing_account = l.billing_account and c.billing_period = l.billing_period
  join roles r on r.delivery_id = d.delivery_id and r.account = l.account and r.billing_period = l.billing_period
    and r.currency = l.currency
  where d.tenant_id = $1 and d.state = 'current' and l.kind <> 'split'
    and exists (select from charge_scopes s join closed k on k.billing_account = s.billing_account
      and k.billing_period = s.billing_period where s.tenant_id = $1 and s.delivery = d.number)
  group by 1, 2, 3
)
select billing_account, billing_period, currency, b.effective_cost as billed_effective_cost,
  p.effective_cost as posted_effective_cost, b.billed_cost as billed_billed_cost,
  p.billed_cost as posted_billed_cost
from book b full join posted p using (billing_account, billing_period, currency)
where (coalesce(b.effective_cost, 0), coalesce(b.billed_cost, 0), coalesce(b.list_cost, 0),
    coalesce(b.contracted_cost, 0))
    is distinct from (coalesce(p.effective_cost, 0), coalesce(p.billed_cost, 0), coalesce(p.list_cost, 0),
      coalesce(p.contracted_cost, 0))
  and not exists (select from deliveries n where n.tenant_id = $1 and n.state = 'current' and n.fleet_digest = '')
  and not exists (select from dirty x where x.tenant_id = $1)
limit 5

-- name: verify.evidence
select p.part_id, p.hour, p.delivery_id, p.charge_id, d.export, d.state as delivery_state, p.billing_period
from (
  select distinct on (delivery_id, coalesce(charge_period, billing_period)) delivery_id,
    coalesce(charge_period, billing_period) as billing_period, part_id, hour, charge_id
  from parts
  where tenant_id = $1 and delivery_id is not null and not final and reverses is null
    and ($2::text is null or coalesce(charge_period, billing_period) = $2)
  order by delivery_id, coalesce(charge_period, billing_period), hour, part_id
) p
left join deliveries d on d.tenant_id = $1 and d.delivery_id = p.delivery_id
where (d.state is distinct from 'current' or not exists (
    select from control_totals t where t.tenant_id = $1 and t.delivery_id = d.delivery_id
      and t.billing_period = p.billing_period and t.role = 'book'))
  and not exists ( -- its replacement is not cut yet
    select from deliveries n where n.tenant_id = $1 and n.state = 'current' and n.fleet_digest = '')
limit 5

-- name: verify.frozen_evidence
-- Frozen node-hours with the evidence that was kept of them.
select f.node_id as node, f.hour, e.document, e.digest
from frozen_hours f
left join hour_evidence e on e.tenant_id = f.tenant_id and e.node_id = f.node_id and e.hour = f.hour
where f.tenant_id = $1 and f.hour >= $2 and f.hour < $3
order by f.hour, f.node_id

-- name: verify.hash
-- See rollup.settings.
set local enable_sort = off

-- name: verify.statement_chain
select number, billing_account, billing_period, version, lines, bytes, digest, rows_digest, open_period,
  policy_versions as policies, previous, chain
from statements where tenant_id = $1 order by number

-- name: verify.statement_chunks
select c.billing_account as account, c.billing_period as month, c.what, c.node_id as node, c.day, c.digest,
  c.row_count as closed,
  s.reopened_at is not null as reopened
from statement_chunks c
join statements s on s.tenant_id = c.tenant_id and s.billing_account = c.billing_account
  and s.billing_period = c.billing_period and s.version = c.version
where c.tenant_id = $1 and c.day >= $2 and c.day < $3
order by s.reopened_at is null desc

-- name: verify.statement_lines
with current as (
  select billing_account, billing_period, version from statements
  where tenant_id = $1 and reopened_at is null and ($2::text is null or billing_period = $2)
), stated as (
  select l.billing_account, l.billing_period, l.day, l.owner_id, l.cause, l.kind, l.currency,
    sum(l.effective_cost) as effective_cost, sum(l.billed_cost) as billed_cost,
    sum(l.list_cost) as list_cost, sum(l.contracted_cost) as contracted_cost, sum(l.gpu_hours) as gpu_hours
  from current c join statement_lines l on l.tenant_id = $1 and l.billing_account = c.billing_account
    and l.billing_period = c.billing_period and l.version = c.version
  group by 1, 2, 3, 4, 5, 6, 7
), posted as (
  select p.billing_account, p.billing_period, date_trunc('day', p.hour, 'UTC') as day, p.owner_id, p.cause, p.kind,
    p.currency, sum(p.effective_cost) as effective_cost,
    sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost,
    sum(p.gpu_hours) as gpu_hours
  from postings p where p.tenant_id = $1 and p.state = 'final' and ($2::text is null or p.billing_period = $2)
  group by 1, 2, 3, 4, 5, 6, 7
  union all
  select s.billing_account, s.billing_period, s.hour, s.owner_id, s.cause, s.kind, s.currency, sum(s.effective_cost),
    sum(s.billed_cost), sum(s.list_cost), sum(s.contracted_cost), null
  from shares s where s.tenant_id = $1 and s.state = 'final' and ($2::text is null or s.billing_period = $2)
  group by 1, 2, 3, 4, 5, 6, 7
)
select billing_account, billing_period, day, owner_id, cause, kind, currency, s.effective_cost as stated_effective_cost,
  p.effective_cost as posted_effective_cost,
  s.billed_cost as stated_billed_cost, p.billed_cost as posted_billed_cost
from stated s full join posted p using (billing_account, billing_period, day, owner_id, cause, kind, currency)
where (s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, s.gpu_hours) is distinct from (p.effective_cost,
    p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours)
limit 5

-- name: verify.statements
select billing_account, billing_period, version, digest, rows_digest, lines from statements
where tenant_id = $1 and ($2::text is null or billing_period = $2)
order by number
