package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// The peer is the same allocation written by hand in SQL, on the same server: samples as a plain table of minutes in
// the order of their key, keys as integers, the hourly buckets made first and in parallel, whole hours joined by
// equality, only the hours in which a job starts or ends split minute by minute, and exact shares: the rest of a charge
// after truncation goes to its largest row. It ends with one logged table, with the same three indexes as the ledger's
// postings. It keeps no quantities separate from money, no spans, no digests and no way to replace a day.
const peerTables = `
create table samples (device int not null, at timestamptz not null, activity int not null, primary key (device, at));
create table places (device int primary key, node int not null, slot int not null);
create table placements (device int not null, job int not null, owner int not null, from_at timestamptz not null,
    to_at timestamptz not null);
create table charges (charge int primary key, node int not null, hour timestamptz not null,
  effective numeric not null, billed numeric not null, list numeric not null, contracted numeric not null)`

// peerSteps run one after the other, each in a separate transaction.
var peerSteps = []string{
	`drop table if exists buckets, held, shares, allocated`,
	`create unlogged table buckets as
select device, date_bin('1 hour', at, 'epoch') as hour, count(*) filter (where activity >= 100000) as active,
  count(*) filter (where activity < 100000) as idle,
  sum(activity) filter (where activity >= 100000) as active_work,
  sum(activity) filter (where activity < 100000) as idle_work
from samples group by 1, 2`,
	`create unlogged table held as
select p.device, p.job, p.owner, h.hour, greatest(p.from_at, h.hour) as from_at,
  least(p.to_at, h.hour + interval '1 hour') as to_at,
  extract(epoch from least(p.to_at, h.hour + interval '1 hour') - greatest(p.from_at, h.hour))::int as seconds
from placements p
cross join lateral generate_series(date_bin('1 hour', p.from_at, 'epoch'), p.to_at - interval '1 second',
    interval '1 hour') h (hour)`,
	`analyze buckets; analyze held`,
	`create unlogged table shares as
with pieces as (
  select h.device, h.hour, h.job, h.owner, h.seconds, b.active, b.idle, b.active_work, b.idle_work
  from held h left join buckets b on b.device = h.device and b.hour = h.hour
  where h.seconds = 3600
  union all
  select h.device, h.hour, h.job, h.owner, h.seconds, s.active, s.idle, s.active_work, s.idle_work
  from held h
  cross join lateral (
    select count(*) filter (where activity >= 100000) as active, count(*) filter (where activity < 100000) as idle,
      sum(activity) filter (where activity >= 100000) as active_work,
      sum(activity) filter (where activity < 100000) as idle_work
    from samples s where s.device = h.device and s.at >= h.from_at and s.at < h.to_at
  ) s
  where h.seconds < 3600
)
select p.device, p.hour, p.job, p.owner, r.cause, r.activity, r.seconds::int as seconds, r.work
from pieces p
cross join lateral (values ('used', 'active', 60 * coalesce(p.active, 0), p.active_work),
    ('held_idle', 'idle', 60 * coalesce(p.idle, 0), p.idle_work),
  ('unobserved', 'unknown', p.seconds - 60 * coalesce(p.active + p.idle, 0), 0)) r (cause, activity, seconds, work)
where r.seconds > 0
union all
select b.device, b.hour, null, 0, 'free', 'idle', 3600 - coalesce(h.seconds, 0)::int, 0
from buckets b left join (select device, hour, sum(seconds) as seconds from held
    group by device, hour) h using (device, hour)
where coalesce(h.seconds, 0) < 3600`,
	`analyze shares`,
	`create table allocated (
  hour timestamptz not null, node int not null, slot int not null, device int not null, job int, owner int not null,
  cause text not null, activity text not null,
  seconds int not null, gpu_hours numeric not null, capacity_gpu_hours numeric not null,
  active_gpu_hours numeric not null,
  charge int not null, currency text not null, state text not null, method text not null, quality text not null,
  effective numeric not null, billed numeric not null, list numeric not null, contracted numeric not null)`,
	`create index on allocated (hour, node)`,
	`create index on allocated (job) where job is not null`,
	`insert into allocated
select hour, node, slot, device, job, owner, cause, activity, seconds,
  case when job is null then 0 else round(seconds / 3600.0, 12) end, round(seconds / 3600.0, 12),
    round(work / 60000000.0, 12),
  charge, 'USD', 'open', 'exclusive', 'measured',
  share_effective + case when first then effective - sum_effective else 0 end,
  share_billed + case when first then billed - sum_billed else 0 end,
  share_list + case when first then list - sum_list else 0 end,
  share_contracted + case when first then contracted - sum_contracted else 0 end
from (
  select *, sum(share_effective) over c as sum_effective, sum(share_billed) over c as sum_billed,
    sum(share_list) over c as sum_list, sum(share_contracted) over c as sum_contracted,
    row_number() over (partition by charge order by seconds desc, slot, job, cause) = 1 as first
  from (
    select s.*, p.node, p.slot, c.charge, c.effective, c.billed, c.list, c.contracted,
      trunc(c.effective * s.seconds / 28800, 12) as share_effective,
      trunc(c.billed * s.seconds / 28800, 12) as share_billed,
      trunc(c.list * s.seconds / 28800, 12) as share_list,
      trunc(c.contracted * s.seconds / 28800, 12) as share_contracted
    from shares s join places p using (device) join charges c on c.node = p.node and c.hour = s.hour
  ) x
  window c as (partition by charge)
) y`,
}

// makePeer returns the name of the peer's database with the same fleet as rows, and makes it if it is missing.
func (r *pgRig) makePeer(ctx context.Context, f *fleetFacts) (string, error) {
	name := fmt.Sprintf("peer_%d_%d_%d", f.nodes*cardsPerNode, f.days, f.seed)
	if there, err := r.exists(ctx, name); there || err != nil {
		return name, err
	}
	began := time.Now()
	making := name + "_new"
	if err := r.admin(ctx, "drop database if exists "+making, "create database "+making); err != nil {
		return name, err
	}
	err := r.with(ctx, making, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, peerTables); err != nil {
			return err
		}
		for node := range f.nodes {
			if err := f.peerNode(ctx, conn, node); err != nil {
				return err
			}
		}
		_, err := conn.Exec(ctx, "vacuum analyze")
		return err
	})
	if err != nil {
		return name, err
	}
	fmt.Printf("the same as rows for the peer: %.0f s\n", time.Since(began).Seconds())
	return name, r.admin(ctx, fmt.Sprintf("alter database %s rename to %s", making, name), "checkpoint")
}

func (f *fleetFacts) peerNode(ctx context.Context, conn *pgx.Conn, node int) error {
	var places, placements, charges, samples [][]any
	plan := f.jobsOf(node)
	for _, j := range plan {
		for _, slot := range j.slots {
			placements = append(placements, []any{
				node*cardsPerNode + slot, node*10_000 + j.number + 1, (j.node+j.number)%20 + 1, j.From.Time(), j.To.Time(),
			})
		}
	}
	for slot, minutes := range f.activityOf(node, plan) {
		places = append(places, []any{node*cardsPerNode + slot, node, slot})
		for m, ppm := range minutes {
			if ppm >= 0 {
				samples = append(samples, []any{
					node*cardsPerNode + slot, fleetDay0.Time().Add(time.Duration(m) * time.Minute), ppm,
				})
			}
		}
	}
	for h := range f.days * 24 {
		c := f.charge(node, h)
		charges = append(charges, []any{
			node*1000 + h, node, c.Period.From.Time(), c.Effective.String(),
			c.Billed.String(), c.List.String(), c.Contracted.String(),
		})
	}
	for _, t := range []struct {
		table   string
		columns []string
		rows    [][]any
	}{
		{"places", []string{"device", "node", "slot"}, places},
		{"placements", []string{"device", "job", "owner", "from_at", "to_at"}, placements},
		{"charges", []string{"charge", "node", "hour", "effective", "billed", "list", "contracted"}, charges},
		{"samples", []string{"device", "at", "activity"}, samples},
	} {
		if _, err := conn.CopyFrom(ctx, pgx.Identifier{t.table}, t.columns, pgx.CopyFromRows(t.rows)); err != nil {
			return fmt.Errorf("%s: %w", t.table, err)
		}
	}
	return nil
}
