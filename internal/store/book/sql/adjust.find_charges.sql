-- The charges of closed periods: what their staged parts say against what their
-- final parts add up to, reversals included. Pairs that amortise are zero.
insert into closed_charges
with closed as (
  select name, billing_account,
    to_char((max(name || '-01') over (partition by billing_account))::timestamp + interval '1 month', 'YYYY-MM') as open_period,
    ((max(name || '-01') over (partition by billing_account))::timestamp + interval '1 month') at time zone 'UTC' as boundary
  from period_states where tenant_id = $1 and calendar = 'billing' and state = 'closed'
), staged as (
  select n.charge_id, c.billing_account, c.open_period, c.boundary,
    sum(n.effective_cost) filter (where n.posting_kind <> 'amortise') as effective_cost, sum(n.billed_cost) filter (where n.posting_kind <> 'amortise') as billed_cost,
    sum(n.list_cost) filter (where n.posting_kind <> 'amortise') as list_cost, sum(n.contracted_cost) filter (where n.posting_kind <> 'amortise') as contracted_cost
  from next_parts n
  join closed c on c.billing_account = n.billing_account and c.name = n.billing_period
  group by 1, 2, 3, 4
), stood as (
  select p.charge_id, min(p.billing_account) as billing_account, count(*) as finals, min(p.delivery_id::text)::uuid as old_delivery, -- of one line, of one delivery
    sum(p.effective_cost) filter (where p.posting_kind <> 'amortise') as effective_cost, sum(p.billed_cost) filter (where p.posting_kind <> 'amortise') as billed_cost,
    sum(p.list_cost) filter (where p.posting_kind <> 'amortise') as list_cost, sum(p.contracted_cost) filter (where p.posting_kind <> 'amortise') as contracted_cost
  from parts p
  where p.tenant_id = $1 and p.final and p.delivery_id = any ($2)
  group by p.charge_id
)
select coalesce(f.charge_id, s.charge_id), coalesce(f.billing_account, s.billing_account), f.charge_id is not null, s.charge_id is not null,
  f.charge_id is not null and s.charge_id is not null
    and (f.effective_cost, f.billed_cost, f.list_cost, f.contracted_cost) is not distinct from (s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost),
  coalesce(s.finals, 0), s.old_delivery, coalesce(f.open_period, c.open_period), coalesce(f.boundary, c.boundary)
from staged f
full join stood s on s.charge_id = f.charge_id
left join lateral (select k.open_period, k.boundary from closed k where k.billing_account = s.billing_account limit 1) c on true
where coalesce(f.open_period, c.open_period) is not null
