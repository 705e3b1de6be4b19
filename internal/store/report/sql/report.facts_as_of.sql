-- What the ledger said at an earlier time, by node-day, owner and cause: the
-- generation of each chunk that was there then. Of older ones only these totals
-- are kept.
select c.day as hour, nullif(c.node_id, '00000000-0000-0000-0000-000000000000') as node_id, t.owner_id, t.cause, t.currency, t.state,
       t.effective_cost, t.billed_cost, t.list_cost, t.contracted_cost, t.gpu_hours,
       null::numeric as capacity_gpu_hours, null::numeric as active_gpu_hours, null::numeric as energy_kwh, 'direct'::text as kind
from (
  select distinct on (h.node_id, h.day) h.node_id, h.day, h.totals
  from chunk_history h
  join chunks k on k.tenant_id = h.tenant_id and k.node_id = h.node_id and k.day = h.day and k.written_at <= @as_of
  where h.tenant_id = @tenant and h.replaced_at > @as_of and h.day >= @from and h.day < @to
  order by h.node_id, h.day, h.generation
) c
cross join lateral jsonb_to_recordset(c.totals) as t (owner_id uuid, cause text, currency text, state text,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric, gpu_hours numeric)
union all
select date_trunc('day', p.hour, 'UTC'), p.node_id, p.owner_id, p.cause, p.currency, p.state,
       p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours, null, null, null, 'direct'
from postings p
join chunks c on c.tenant_id = p.tenant_id and c.node_id = coalesce(p.node_id, '00000000-0000-0000-0000-000000000000') and c.day = date_trunc('day', p.hour, 'UTC')
where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to and c.written_at <= @as_of
  and not exists (select from chunk_history h where h.tenant_id = c.tenant_id and h.node_id = c.node_id and h.day = c.day and h.replaced_at > @as_of)
