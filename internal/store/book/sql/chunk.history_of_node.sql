with sums as (
  select date_trunc('day', hour, 'UTC') as day, owner_id, cause, currency, state, sum(effective_cost) as effective, sum(billed_cost) as billed, sum(list_cost) as list,
    sum(contracted_cost) as contracted, sum(gpu_hours) as gpu_hours
  from postings
  where tenant_id = $1 and node_id = $2 and hour = any ($5)
  group by date_trunc('day', hour, 'UTC'), owner_id, cause, currency, state
), totals as (
  select day, jsonb_agg(jsonb_build_object('owner_id', owner_id, 'cause', cause, 'currency', currency, 'state', state,
    'effective_cost', effective::text, 'billed_cost', billed::text, 'list_cost', list::text, 'contracted_cost', contracted::text,
    'gpu_hours', gpu_hours::text) order by owner_id, cause, currency, state) as totals
  from sums group by day
)
insert into chunk_history (tenant_id, node_id, day, generation, digest, totals, replaced_at)
select k.tenant_id, k.node_id, k.day, k.generation, k.digest, coalesce(t.totals, '[]'), $4::timestamptz
from chunks k left join totals t using (day)
where k.tenant_id = $1 and k.node_id = $2 and k.day = any ($3)
