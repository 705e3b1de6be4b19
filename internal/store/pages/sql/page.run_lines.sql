-- Bill lines (or rates, where there is no bill yet) by what they put into a run; $3 lines at most, with their number in all.
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
select top.charge_id, coalesce(c.source_file, ''), coalesce(c.line, 0),
       coalesce(r.source, ''), top.currency, coalesce(top.amount, 0), top.total
from top
left join delivery_words d on d.tenant_id = $1 and d.delivery_id = top.delivery_id
left join lateral (
  select l.source_file, l.line from charge_words l where l.tenant_id = $1 and l.delivery = d.number and l.charge_id = top.charge_id offset 0
) c on true
left join posted_rates r on r.tenant_id = $1 and r.rate_id = top.rate_id
order by top.amount desc nulls last, top.charge_id, top.rate_id
