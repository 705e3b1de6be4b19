-- Days whose rates may have followed from a day's lines of some kinds, or may now: those
-- with spot machines of the kind, up to the days before and after that have lines of it.
insert into analysis_days (tenant_id, step, day)
select distinct $1::int, s.step, date_trunc('day', r.hour, 'UTC')
from unnest($3::text[], $4::text[], $5::text[], $6::text[]) k(account, instance_type, region, currency)
cross join lateral (
  select coalesce(date_trunc('day', max(h.hour), 'UTC') + interval '1 day', '-infinity') as first
  from on_demand_hours h
  where h.tenant_id = $1 and h.account = k.account and h.instance_type = k.instance_type and h.region = k.region and h.currency = k.currency
    and h.cost > 0 and h.seconds > 0 and h.hour < $2
) before
cross join lateral (
  select coalesce(date_trunc('day', min(h.hour), 'UTC'), 'infinity') as last
  from on_demand_hours h
  where h.tenant_id = $1 and h.account = k.account and h.instance_type = k.instance_type and h.region = k.region and h.currency = k.currency
    and h.cost > 0 and h.seconds > 0 and h.hour >= $2::timestamptz + interval '1 day'
) after
join nodes n on n.tenant_id = $1 and n.price_class = 'spot' and n.instance_type = k.instance_type and coalesce(n.region, '') = k.region and coalesce(n.account, '') = k.account
join spot_rates r on r.tenant_id = $1 and r.node_id = n.node_id and r.currency = k.currency and r.hour >= before.first and r.hour < after.last
cross join (values ('rates'), ('costs')) s(step)
on conflict do nothing
