package storetest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/metrics/spot"
)

// ID is a content id.
func ID(kind string, parts ...string) ledger.ID { return ledger.NewID(kind, parts...) }

// Run executes a statement.
func Run(t testing.TB, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	if _, err := pool.Exec(context.Background(), sql, args...); err != nil {
		t.Fatalf("%s\n%v", sql, err)
	}
}

// SmallLedger is one node-hour of 8 GPUs at 32.77, split over a run's two attempts and free time; a tax line; an hour
// without a bill; and a superseded delivery that must not show.
func SmallLedger(t testing.TB) *store.Store {
	t.Helper()
	s := New(t)
	const hour = "2026-11-02T10:00:00Z"
	for _, table := range []string{"parts", "usage", "posting_rows", "sample_hours", "hold_evidence"} {
		Run(t, s.Pool, "select ensure_month($1, '2026-11-02')", table)
	}
	imp, del, old := ID("import", "1"), ID("delivery", "1"), ID("delivery", "0")
	Run(t, s.Pool, `insert into imports (tenant_id, import_id, source, uri, state, started_at, finished_at, files, bytes,
		  rows_read, accepted, rejected)
		values (1, $1, 'aws-cur', 'folder', 'published', $2, $2, 1, 99, 3, 2, 1)`, imp, "2026-11-03T00:00:00Z")
	for i, d := range []struct {
		id    ledger.ID
		state string
	}{{del, "current"}, {old, "superseded"}} {
		Run(t, s.Pool, `insert into deliveries (tenant_id, delivery_id, import_id, source, export, scope, dataset,
			  partition_key, kind, rank, digest, rows, columns, state, published_at)
			values (1, $1, $2, 'aws-cur', 'e', '111', 'CUR 2.0', '2026-11', 'snapshot', 3, $3, 2, '{}', $4, '2026-11-03')`, d.id, imp, []byte{byte(i)}, d.state)
	}
	for number, d := range []ledger.ID{old, del} {
		Run(t, s.Pool, "update deliveries set number = $2 where delivery_id = $1", d, 1+number)
		Run(t, s.Pool, `insert into charge_scopes values (1, $1, 1, 'data/cur-00001.csv.gz', '111', '222', '2026-11', 'USD')`,
			1+number)
		for item, kind := range []string{"usage", "invoice"} {
			Run(t, s.Pool, `insert into charge_items (tenant_id, delivery, item, provider, kind, category, service_name, region,
				  instance_type, price_class, instance_hours, bills_gpu)
				values (1, $1, $2, 'aws', $3, $4, 'EC2', 'us-east-1', 'p5.48xlarge', 'spot', true, false)`, 1+number, 1+item, kind, []string{"Usage", "Tax"}[item])
		}
		Run(t, s.Pool, `insert into charge_resources values (1, $1, 1, 'i-1', 'i-1')`, 1+number)
		Run(t, s.Pool, `insert into charge_tags values (1, $1, 1, '{"CostCenter": "cc-1"}')`, 1+number)
	}
	line := func(delivery int, name string, n, item int, resource any, cost string, list any) {
		Run(t, s.Pool, `insert into charge_rows (tenant_id, delivery, charge_id, line, starts, ends, scope, item, resource,
			  tag_set, effective, billed, list, usage)
			values (1, $1, $2, $3, extract(epoch from $6::timestamptz), extract(epoch from $6::timestamptz) + 3600, 1, $4, $5, 1,
			$7::numeric * 1e12, $7::numeric * 1e12, $8::numeric * 1e12, 1e12)`, delivery, ID("charge", name), n, item, resource, hour, cost, list)
	}
	line(2, "box", 1, 1, 1, "32.77", "98.32")
	line(2, "tax", 2, 2, nil, "1.23", nil)
	line(1, "box", 1, 1, 1, "30", "98.32")
	for metric, total := range map[string]string{"effective_cost": "34", "billed_cost": "34", "list_cost": "98.32"} {
		Run(t, s.Pool, `insert into control_totals values (1, $1, '222', '2026-11', 'USD', $2, 'book', $3, 2)`, del, metric,
			total)
	}
	node := ID("instance", "i-1")
	Run(t, s.Pool, `insert into nodes (tenant_id, node_id, cluster, name, provider_id, instance_id, instance_type, region,
		  price_class, gpu_model, gpus, account)
		values (1, $1, 'prod', 'node-1', 'aws:///us-east-1a/i-1', 'i-1', 'p5.48xlarge', 'us-east-1', 'spot', 'H100', 8, '222')`, node)
	Run(t, s.Pool, `insert into owners (tenant_id, owner_id, team, model, labels)
		values (1, $1, 'research', 'llama', '{"label_flavour": "x"}'), (1, $2, 'unowned', null, '{}')`,
		ID("owner", "research"), ID("owner", "none"))
	Run(t, s.Pool, `insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, owner_name, class,
		  node_id, outcome, run_id, owner_id)
		values (1, $1, 'prod', 'ml', 'train-0', 'uid-1', 'PyTorchJob', 'train', 'run', $2, 'running', 'prod/ml/train', $3)`, ID("workload", "1"), node, ID("owner", "research"))
	Run(t, s.Pool, `insert into runs (tenant_id, run_id, cluster, namespace, name, root_kind, kind, status, started_at,
		  ended_at, attempts, preemptions, world, queue_wait_seconds, budget, owner_id)
		values (1, 'prod/ml/train', 'prod', 'ml', 'train', 'PyTorchJob', 'training', 'succeeded', $1, '2026-11-02T11:00:00Z',
		    2, 1, 1, 60, 100, $2),
		       (1, 'prod/ml/queued', 'prod', 'ml', 'queued', 'PyTorchJob', 'training', 'queued', null, null, 0, 0, 1, null,
		         null, $2)`, hour, ID("owner", "research"))
	for n, a := range []struct{ outcome, basis, from any }{{"preempted", "none", hour}, {"succeeded", nil, nil}} {
		Run(t, s.Pool, `insert into attempts (tenant_id, attempt_id, run_id, attempt, started_at, ended_at, running, outcome,
			  pricing, nodes, gpus, loss_basis, loss_from)
			values (1, $1, 'prod/ml/train', $2, $3::timestamptz, $3::timestamptz + interval '30 min', false, $4, 'spot', 1, 4,
			    $5, $6)`,
			ID("attempt", string(rune('1'+n))), n+1, hour, a.outcome, a.basis, a.from)
	}
	use := func(name, at string, slot int, attempt any, cause string, seconds int, cap string) {
		var w, r, a any
		owner, held := ID("owner", "none"), attempt != nil
		if held {
			w, r, a, owner = ID("workload", "1"), "prod/ml/train", ID("attempt", attempt.(string)), ID("owner", "research")
		}
		Run(t, s.Pool, `insert into usage (tenant_id, usage_id, hour, node_id, slot, device, workload_id, run_id, attempt_id,
			  cause, activity, owner_id, quality, method,
			seconds, active_seconds, weight_num, weight_den, held, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh,
			generation)
			values (1, $1, $2, $3, $4, 'GPU-1', $5, $6, $7, $8::text, 'active', $9,
			    case when $8::text = 'lost' then 'assumed' else 'measured' end, 'exclusive',
			$10::bigint, $10::bigint, $10::bigint, 1, $11::bool, case when $11::bool then $12::numeric else 0 end, $12::numeric,
			0.1, 0.2, 1)`,
			ID("usage", name), at, node, slot, w, r, a, cause, owner, seconds, held, cap)
	}
	use("lost", hour, 0, "1", "lost", 7200, "2")
	use("used", hour, 1, "2", "used", 7200, "2")
	use("free", hour, 2, nil, "free", 14400, "4")
	use("later", "2026-11-02T11:00:00Z", 0, "2", "used", 3600, "1") // no bill, no rate
	Run(t, s.Pool, `insert into chunks (tenant_id, node_id, day, generation, calculation_id, digest, usage_rows, part_rows,
		  posting_rows, span_rows) values (1, $1, '2026-11-02', 3, $2, 'x', 4, 1, 3, 0)`, node, ID("calc", "1"))
	part := func(name, charge, kind string, node any, cost string, list, seconds any) {
		Run(t, s.Pool, `insert into parts (tenant_id, part_id, charge_id, delivery_id, number, kind, node_id, hour,
			  billing_period, currency, effective_cost, billed_cost, list_cost, usage_seconds, method, quality)
			values (1, $1, $2, $3, 0, $4, $5, $6, '2026-11', 'USD', $7, $7, $8, $9, 'resource id', 'measured')`,
			ID("part", name), ID("charge", charge), del, kind, node, hour, cost, list, seconds)
	}
	part("box", "box", "compute", node, "32.77", "98.32", 3600)
	part("tax", "tax", "shared", nil, "1.23", nil, nil)
	post := func(name, part string, usage any, cause, quality string, cost string, list any) {
		Run(t, s.Pool, `insert into postings (tenant_id, posting_id, hour, part_id, charge_id, part, usage_id, billing_period,
			  cause, activity, kind, owner_id, method, quality, policy_version,
			currency, state, effective_cost, billed_cost, list_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh,
			node_id, slot, device, workload_id, run_id, attempt_id, generation)
			select 1, $1, $2::timestamptz, $3, $4, 0, $5::uuid, '2026-11', $6, u.activity, 'direct', coalesce(u.owner_id, $7),
			  'resource id', $8, 'default-1',
			'USD', 'open', $9::numeric, $9::numeric, $10::numeric, u.gpu_hours, u.capacity_gpu_hours, u.active_gpu_hours,
			u.energy_kwh, u.node_id, coalesce(u.slot, -1), u.device, u.workload_id, u.run_id, u.attempt_id, 1
			from (select 1) one left join usage u on u.usage_id = $5::uuid`,
			ID("posting", name), hour, ID("part", part), ID("charge", part),
			usage, cause, ID("owner", "none"), quality, cost, list)
	}
	post("lost", "box", ID("usage", "lost"), "lost", "assumed", "8.1925", "24.58")
	post("used", "box", ID("usage", "used"), "used", "measured", "8.1925", "24.58")
	post("free", "box", ID("usage", "free"), "free", "measured", "16.385", "49.16")
	post("tax", "tax", nil, "shared", "measured", "1.23", nil)
	Run(t, s.Pool, `insert into calculations values (1, $1, 'default-1', '2026-11-03', '2026-11-03', 1, null)`,
		ID("calc", "1"))
	Run(t, s.Pool, `insert into sample_hours (tenant_id, cluster, device, slice_id, profile, hour, node, device_index,
		  model, vectors, row_count, first_at, last_at)
		  values (1, 'prod', 'GPU-1', -1, '', $1, 'node-1', 0, 'H100', $2, 480, $1, $1)`, hour, busyMinutes(t))
	Run(t, s.Pool, `insert into hold_evidence values (1, 'prod', 'GPU-1', -1, 'ml', 'train-0', $1, 'node-1', 7)`, hour)
	RateSpot(t, s)
	return s
}

// RateSpot runs the analysis step for the days that have parts.
func RateSpot(t testing.TB, s *store.Store) {
	t.Helper()
	rows, err := s.Pool.Query(t.Context(), "select distinct date_trunc('day', hour, 'UTC') from parts")
	if err != nil {
		t.Fatal(err)
	}
	days, err := pgx.CollectRows(rows, pgx.RowTo[period.Second])
	if err != nil {
		t.Fatal(err)
	}
	for _, day := range days {
		if _, err := s.SaveOnDemandHours(t.Context(), "on_demand", day); err != nil {
			t.Fatal(err)
		}
	}
	RateSpotDays(t, s, days...)
}

// RateSpotDays runs the step for given days.
func RateSpotDays(t testing.TB, s *store.Store, days ...period.Second) {
	t.Helper()
	for _, day := range days {
		rates := func(paid []spot.Paid, lines []spot.Line, book []ledger.Rate) []spot.Rate {
			return spot.OnDemandRates(paid, lines, book, catalog.Embedded())
		}
		if _, err := s.SaveSpotRates(t.Context(), "rates", day, rates); err != nil {
			t.Fatal(err)
		}
	}
}

// Lists changes the list costs of the bill.
func Lists(t testing.TB, s *store.Store, cost any) {
	t.Helper()
	for _, table := range []string{"postings", "parts"} {
		Run(t, s.Pool, "update "+table+" set list_cost = $1 where list_cost is not null", cost)
	}
	RateSpot(t, s)
}

// busyMinutes are 40 minutes of activity, packed.
func busyMinutes(t testing.TB) []byte {
	t.Helper()
	var m ledger.Minutes
	for i := range 40 {
		minutes.Set(&m, i, 1000, int64(900_000+i))
	}
	packed, err := minutes.Encode(nil, map[ledger.Signal]ledger.Minutes{ledger.SignalGrEngine: m})
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// Table returns a report as text: a row per line, cells by column name.
func Table(t testing.TB, s *store.Store, dataset string, o metrics.Options) []map[string]string {
	t.Helper()
	q, err := metrics.Parse(dataset, o)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Query(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []map[string]string
	for rows.Next() {
		row := map[string]string{}
		for i, v := range rows.Values() {
			row[rows.Columns()[i].Name] = v.String(rows.Columns()[i].Kind)
		}
		out = append(out, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(q.Dataset.Name, err)
	}
	return out
}

// RowWith finds the row that has a value in a column.
func RowWith(t testing.TB, rows []map[string]string, column, value string) map[string]string {
	t.Helper()
	for _, r := range rows {
		if r[column] == value {
			return r
		}
	}
	t.Fatalf("no row has %s = %q among %v", column, value, rows)
	return nil
}

// SumColumn adds up a column of decimals exactly; unknown ones count as 0.
func SumColumn(t testing.TB, rows []map[string]string, column string) string {
	t.Helper()
	var sum money.Amount
	for _, r := range rows {
		if r[column] == "" {
			continue
		}
		v, err := money.Parse(r[column])
		if err != nil {
			t.Fatal(err)
		}
		sum = sum.Add(v)
	}
	return sum.String()
}
