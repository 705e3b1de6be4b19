-- What hours of the week, commitments and demand add up to by day. Capacity is of
-- 4 clusters with 3 kinds of machine in 3 regions each. 40 teams hold machines of a
-- family in two places, on demand and covered by a savings plan or a reservation;
-- the owners of a team are those of its services and of its runs of the day.
insert into star.idle_days (tenant_id, at, cluster, instance_type, region, gpu_model, hour_of_week, capacity_gpu_hours, free_gpu_hours, held_idle_gpu_hours, idle_gpu_hours, observed_gpu_hours)
select 1, d.day, 'prod-' || c, (array['p5.48xlarge','p4d.24xlarge','a3-highgpu-8g','ND96isr_H100_v5'])[1 + (c + k) % 4], 'region-' || r, (array['H100','A100','H100','H100'])[1 + (c + k) % 4],
  (extract(isodow from d.day at time zone 'UTC')::bigint - 1) * 24 + h, round(x.q * 6.1, 12), x.q, round(x.q * 0.7, 12), round(x.q * 2, 12), round(x.q * 6, 12)
from generate_series($1::timestamptz, $2::timestamptz - interval '1 day', interval '1 day') d (day)
cross join generate_series(0, 3) c cross join generate_series(0, 2) k cross join generate_series(0, 2) r cross join generate_series(0, 23) h
cross join lateral (select round((20 + (hashtextextended(c || '/' || k || '/' || r || '/' || h, extract(epoch from d.day)::bigint) % 9))::numeric * 1.123456789, 12) as q) x;

insert into star.held_days (tenant_id, at, team, instance_family, region, hours)
select 1, d.day, 'team-' || lpad(t::text, 2, '0'), (array['p5','p4d'])[1 + f], 'region-' || (t + f) % 3, 24 - (t * 7 + extract(doy from d.day)::int) % 14
from generate_series($1::timestamptz, $2::timestamptz - interval '1 day', interval '1 day') d (day) cross join generate_series(0, 39) t cross join generate_series(0, 1) f;

with owner as (
  select o.owner_id, o.team, r.day from owners o join (
    select owner_id, generate_series(date_trunc('day', started_at, 'UTC'), ended_at, interval '1 day') as day from runs where tenant_id = 1
    union all
    select md5('service' || i)::uuid, d from generate_series(0, 299) i cross join generate_series($1::timestamptz, $2::timestamptz - interval '1 day', interval '1 day') d
  ) r on r.owner_id = o.owner_id where o.tenant_id = 1 and r.day >= $1::timestamptz and r.day < $2::timestamptz
)
insert into star.commitment_owner_days (tenant_id, at, use, provider, billing_account, account, region, cluster, commitment, commitment_type, instance_type, instance_family, state, currency, team, owner_id, effective_cost, worth)
select 1, o.day + case when u.use = 'covered' then u.half * interval '12 hours' else interval '0' end, u.use, 'aws', 'payer-' || k.n % 2, 'account-' || right(o.team, 2), 'region-' || k.n % 3, 'prod-' || k.n % 4,
  case when u.use <> 'on_demand' then 'commitment-' || k.n % 20 end, case when u.use <> 'on_demand' then (array['savings_plan','reserved'])[1 + k.n % 2] end,
  (array['p5.48xlarge','p4d.24xlarge'])[1 + k.n % 2], (array['p5','p4d'])[1 + k.n % 2], case when o.day < '2026-10-01' then 'final' else 'open' end, 'USD', o.team, o.owner_id, x.amount, round(x.amount * 1.7, 12)
from owner o
cross join lateral (select right(o.team, 2)::int + z as n from generate_series(0, 1) z) k
cross join (values ('on_demand', 0), ('covered', 0), ('covered', 1)) u (use, half)
cross join lateral (select round((50 + hashtextextended(o.owner_id::text || u.use || u.half || k.n, extract(epoch from o.day)::bigint) % 40)::numeric * 1.123456789012, 12) as amount) x
union all
select 1, d, 'unused', 'aws', 'payer-' || n % 2, 'account-' || lpad(n::text, 2, '0'), 'region-' || n % 3, null, 'commitment-' || n, (array['savings_plan','reserved'])[1 + n % 2],
  (array['p5.48xlarge','p4d.24xlarge'])[1 + n % 2], (array['p5','p4d'])[1 + n % 2], case when d < '2026-10-01' then 'final' else 'open' end, 'USD', 'team-' || lpad(n::text, 2, '0'), md5('service' || n)::uuid, 3.123456789012 + n, null
from generate_series($1::timestamptz, $2::timestamptz - interval '1 day', interval '1 day') d cross join generate_series(0, 19) n;

insert into star.commitment_days (tenant_id, at, use, provider, billing_account, account, region, cluster, commitment, commitment_type, instance_type, instance_family, state, currency, team, owner_id, effective_cost, worth)
select 1, at, use, provider, billing_account, account, region, cluster, commitment, commitment_type, instance_type, instance_family, state, currency, team, min(owner_id::text)::uuid, sum(effective_cost), sum(worth)
from star.commitment_owner_days where at >= $1::timestamptz and at < $2::timestamptz
group by at, use, provider, billing_account, account, region, cluster, commitment, commitment_type, instance_type, instance_family, state, currency, team;

-- That days have a ledger; halves of a window are those of its days.
insert into chunks (tenant_id, node_id, day, generation, calculation_id, digest, usage_rows, posting_rows, part_rows, span_rows)
select 1, md5('n' || n)::uuid, d, 1, md5('c')::uuid, 'x', 200, 200, 24, 8
from generate_series($1::timestamptz, $2::timestamptz - interval '1 day', interval '1 day') d cross join generate_series(1, 1250) n
