package facts_test

import (
	"slices"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
	"gpuledger/internal/store"
	"gpuledger/internal/store/facts"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func sampleRows(t *testing.T, s *store.Store, o metrics.Options) [][]metrics.Value {
	t.Helper()
	q, err := metrics.Parse("samples", o)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Query(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out [][]metrics.Value
	for rows.Next() {
		out = append(out, slices.Clone(rows.Values()))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSummaries(t *testing.T) {
	s := storetest.New(t)
	now := storetest.At(2, 0)
	storetest.PublishTelemetry(t, s, storetest.SampleTelemetry())
	if n, err := s.Summarise(t.Context(), storetest.At(1, 4)); err != nil || n != 0 {
		t.Fatalf("the hour before the clock is not over: %d, %v", n, err)
	}
	if n, err := s.Summarise(t.Context(), now); err != nil || n != 2 {
		t.Fatalf("%d summaries, %v", n, err)
	}
	rows := sampleRows(t, s, metrics.Options{Filter: "signal = gpu_util_ppm"})
	if len(rows) != 2 {
		t.Fatalf("rows: %v", rows)
	}
	r := rows[0] // 100 … 159
	if r[8].Int != 60 || r[9].Text != "129.5" || r[10].Int != 100 || r[11].Int != 159 || r[12].Int != 129 ||
		r[13].Int != 156 || r[4].Valid {
		t.Errorf("figures: %+v", r)
	}

	// Unchanged samples are not summarised again; a late sample rebuilds its hour.
	storetest.PublishTelemetry(t, s, storetest.SampleTelemetry())
	if n, err := s.Summarise(t.Context(), now); err != nil || n != 0 {
		t.Errorf("nothing changed, %d summaries, %v", n, err)
	}
	late := &ledger.Telemetry{
		Samples: []ledger.SampleHour{storetest.HourOfSamples("a", "GPU-0", storetest.At(1, 3), 8, 500)},
	}
	storetest.PublishTelemetry(t, s, late)
	if n, err := s.Summarise(t.Context(), now); err != nil || n != 1 {
		t.Errorf("one hour changed, %d summaries, %v", n, err)
	}
	if r := sampleRows(t, s, metrics.Options{})[0]; r[10].Int != 500 {
		t.Errorf("the late samples are not in: %+v", r)
	}

	// Better knowledge of an hour's place replaces the old summaries.
	rowsBefore := len(sampleRows(t, s, metrics.Options{}))
	storetest.Run(t, s.Pool, "update sample_hours set model = 'NVIDIA A10' where device = 'GPU-0' and hour = $1",
		storetest.At(1, 3))
	storetest.Run(t, s.Pool, "insert into stale_hours (tenant_id, hour) values (1, $1)", storetest.At(1, 3))
	if n, err := s.Summarise(t.Context(), now); err != nil || n != 1 {
		t.Errorf("one place changed, %d summaries, %v", n, err)
	}
	if after := sampleRows(t, s, metrics.Options{}); len(after) != rowsBefore || after[0][6].Text != "NVIDIA A10" {
		t.Errorf("%d rows, there were %d: %+v", len(after), rowsBefore, after[0])
	}

	// Merged sketches equal the sketch of all values.
	var all []int64
	for i := range int64(60) {
		all = append(all, 500+i, 200+i)
	}
	want := sketch.Of(all)
	var got sketch.Sketch
	err := s.Sketches(t.Context(), period.DayOf(storetest.At(1, 0)), ledger.SignalGPUUtil,
		facts.SketchFilter{Cluster: "c"}, func(k facts.SketchKey, v sketch.Sketch) {
			if k.Device != "GPU-0" || k.Node != "a" || k.SliceID != ledger.WholeDevice {
				t.Errorf("key %+v", k)
			}
			got.Merge(&v)
		})
	if err != nil || string(got.Append(nil)) != string(want.Append(nil)) {
		t.Errorf("merged sketches differ from one of all values: %v", err)
	}
	if err := s.Sketches(t.Context(), period.DayOf(storetest.At(1, 0)), ledger.SignalGPUUtil,
		facts.SketchFilter{Node: "b", Device: "x"},
		func(facts.SketchKey, sketch.Sketch) { t.Error("another node's") }); err != nil {
		t.Error(err)
	}
}

func TestRetention(t *testing.T) {
	s := storetest.New(t)
	storetest.PublishTelemetry(t, s, storetest.SampleTelemetry())
	month := period.MonthOf(storetest.At(1, 0))
	now, keep := month.To+40*period.Day, period.Second(30*period.Day)
	look := func(want string) {
		t.Helper()
		got, err := s.DropSamples(t.Context(), now, keep)
		if err != nil || len(got) == 0 || got[0].Reason != want || got[0].Dropped != (want == "") {
			t.Fatalf("%+v, %v; want %q", got, err, want)
		}
	}
	look("not summarised yet")
	if got, err := s.DropSamples(t.Context(), month.To+10*period.Day, keep); err != nil || len(got) != 0 {
		t.Errorf("too young, and %+v, %v", got, err)
	}
	if _, err := s.Summarise(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	node := storetest.ID("instance", "i-a")
	storetest.Run(t, s.Pool, `insert into nodes (tenant_id, node_id, cluster, name, appeared_at, gone_at)
		values (1, $1, 'c', 'a', $2, $3)`, node, storetest.At(1, 3), storetest.At(1, 5))
	storetest.Run(t, s.Pool, `insert into dirty (tenant_id, mark_id, node_id, day, reason)
		values (1, next_mark(1), $1, $2, 'test')`, node, storetest.At(1, 0))
	look("not allocated yet")
	storetest.Run(t, s.Pool, `delete from dirty`)
	name := string(period.MonthName(month.From))
	storetest.Run(t, s.Pool, `insert into charge_scopes (tenant_id, delivery, scope, source_file, billing_account, account,
		  billing_period, currency) values (1, 1, 1, 'f', '999', '1', $1, 'USD')`, name)
	look("billing month not closed: 999")
	storetest.Run(t, s.Pool, `insert into periods values (1, 'billing', $1, 'UTC', $2, $3)`, name, month.From, month.To)
	storetest.Run(t, s.Pool, `insert into period_states values (1, 'billing', $1, '999', 'closed')`, name)
	before := sampleRows(t, s, metrics.Options{})
	look("")
	var left int
	if err := s.Pool.QueryRow(t.Context(), "select count(*) from sample_hours").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d hours are left, %v", left, err)
	}
	if after := sampleRows(t, s, metrics.Options{}); len(after) != len(before) || len(after) == 0 {
		t.Errorf("%d summaries, there were %d", len(after), len(before))
	}

	// Late samples of dropped months change nothing: no chunk is computed again without its minutes, and no summary
	// from the remaining ones.
	var one ledger.Minutes
	minutes.Set(&one, 30, 0, 1)
	storetest.PublishTelemetry(t, s,
		&ledger.Telemetry{Samples: []ledger.SampleHour{{Cluster: "c", Node: "a", Device: "GPU-0", Model: "NVIDIA A10G",
			SliceID: ledger.WholeDevice, Hour: storetest.At(1, 3),
			Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalGPUUtil: one}, RowCount: 1}}})
	dirty, err := s.Dirty(t.Context(), period.Interval{})
	if err != nil || len(dirty) != 0 {
		t.Errorf("days without minutes are to be computed: %v, %v", dirty, err)
	}
	if n, err := s.Summarise(t.Context(), now); err != nil || n != 0 {
		t.Errorf("%d summaries of an hour whose minutes are gone, %v", n, err)
	}
	if droppedBefore, stale, err := s.SampleState(t.Context()); err != nil || droppedBefore != month.To || stale != 0 {
		t.Errorf("dropped before %s, %d stale hours, %v", droppedBefore, stale, err)
	}
}
