package pages_test

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/store"
	"gpuledger/test/storetest"
)

// pageLedger is smallLedger with the data of a timeline.
func pageLedger(t *testing.T) *store.Store {
	t.Helper()
	s := storetest.SmallLedger(t)
	const hour = "2026-11-02T10:00:00Z"
	storetest.Run(t, s.Pool, "select ensure_month('spans', '2026-11-02')")
	span := func(slot int, attempt, cause, from, to string) {
		storetest.Run(t, s.Pool, `insert into spans (tenant_id, node_id, day, slot, workload_id, run_id, attempt_id, cause,
			  from_at, to_at)
			values (1, $1, '2026-11-02', $2, $3, 'prod/ml/train', $4, $5, $6, $7)`, storetest.ID("instance", "i-1"), slot, storetest.ID("workload", "1"), storetest.ID("attempt", attempt), cause, from, to)
	}
	span(0, "1", "lost", hour, "2026-11-02T10:30:00Z")
	span(0, "2", "used", "2026-11-02T10:30:00Z", "2026-11-02T11:00:00Z")
	storetest.Run(t, s.Pool, `insert into segments (tenant_id, attempt_id, workload_id, from_at, to_at, weight)
		values (1, $1, $2, $3, '2026-11-02T11:00:00Z', 1000000)`,
		storetest.ID("attempt", "2"), storetest.ID("workload", "1"), hour)
	// Attempt 2 of the fixture spans 10:00 to 10:30, and only checkpoints inside it count.
	storetest.Run(t, s.Pool, `insert into checkpoint_facts
		values (1, 'prod', 'ml', 'train-0', '2026-11-02T10:20:00Z', '', -1),
		  (1, 'prod', 'ml', 'train-0', '2026-11-02T12:00:00Z', '', -1),
		  (1, 'prod', 'ml', 'other', '2026-11-02T10:21:00Z', '', -1),
		(1, '', '', '', '2026-11-02T10:25:00Z', 'prod/ml/train', 500),
		(1, '', '', '', '2026-11-02T12:25:00Z', 'prod/ml/train', 600), (1, '', '', '', '2026-11-02T10:26:00Z', 'other', 1)`)
	storetest.Run(t, s.Pool, `insert into instance_events (tenant_id, provider, instance_id, kind, detail, at) values
		(1, 'aws', 'i-1', 'interruption_warning', 'terminate', '2026-11-02T10:28:00Z'),
		(1, 'aws', 'i-1', 'interruption_warning', 'terminate', '2026-11-02T13:00:00Z'),
		(1, 'aws', 'i-2', 'interruption_warning', 'terminate', '2026-11-02T10:28:00Z')`)
	var activity, memory ledger.Minutes
	for m := range 30 {
		minutes.Set(&activity, m, 0, 900_000)
		minutes.Set(&memory, m, 0, int64(m)<<30)
	}
	packed, err := minutes.Encode(nil, map[ledger.Signal]ledger.Minutes{
		ledger.SignalGrEngine: activity, ledger.SignalMemoryUsed: memory,
	})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, s.Pool, `update sample_hours set vectors = $1`, packed)
	return storetest.Open(t, s.Pool.Config().ConnString()) // with the tracer of TestMain
}

func TestRunTimeline(t *testing.T) {
	s := pageLedger(t)
	r, err := s.RunTimeline(t.Context(), "prod/ml/train")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Spans) != 2 || r.Spans[0].Cause != ledger.Lost || r.Spans[0].Attempt != storetest.ID("attempt", "1") ||
		r.Spans[0].SliceID != ledger.WholeDevice || r.Spans[1].Seconds() != 1800 {
		t.Errorf("spans: %+v", r.Spans)
	}
	if len(r.Nodes) != 1 || r.Nodes[0].InstanceID != "i-1" || r.Nodes[0].PriceClass != ledger.Spot ||
		r.Nodes[0].Zone != "" {
		t.Errorf("nodes: %+v", r.Nodes)
	}
	if len(r.Checkpoints) != 2 || r.Checkpoints[0].At.String() != "2026-11-02T10:20:00Z" ||
		r.Checkpoints[1].At.String() != "2026-11-02T10:25:00Z" {
		t.Errorf("checkpoints: %+v", r.Checkpoints)
	}
	if len(r.Interruptions) != 1 || r.Interruptions[0].At.String() != "2026-11-02T10:28:00Z" {
		t.Errorf("interruptions: %+v", r.Interruptions)
	}
	a := r.Activity
	if a.Held != 60 || a.Known != 30 || a.Signal != ledger.SignalGrEngine || !a.AllIn || len(a.Buckets) != 60 {
		t.Errorf("activity: %d of %d minutes, %s, all %v, %d buckets", a.Known, a.Held, a.Signal, a.AllIn, len(a.Buckets))
	}
	if mean, known := a.Buckets[0].Mean(); !known || mean != .9 {
		t.Errorf("first minute: %v %v", mean, known)
	}
	if _, known := a.Buckets[45].Mean(); known {
		t.Error("a minute without a sample is known")
	}
	if got := a.Memory[storetest.ID("attempt", "1")].Used; got != 29<<30 {
		t.Errorf("memory of attempt 1: %d", got)
	}
	if len(r.Prices) != 1 || r.Prices[0].Class != ledger.Spot || r.Prices[0].Effective.IsZero() ||
		r.Prices[0].GPUHours.IsZero() {
		t.Errorf("prices: %+v", r.Prices)
	}
	if empty, err := s.RunTimeline(t.Context(), "no/such/run"); err != nil || len(empty.Spans) != 0 {
		t.Errorf("an unknown run: %+v, %v", empty, err)
	}
}

func TestRunLines(t *testing.T) {
	s := pageLedger(t)
	lines, err := s.RunLines(t.Context(), "prod/ml/train", 5)
	if err != nil {
		t.Fatal(err)
	}
	if lines.Total != 1 || len(lines.Top) != 1 {
		t.Fatalf("lines: %+v", lines)
	}
	l := lines.Top[0]
	if l.File != "data/cur-00001.csv.gz" || l.Line != 1 || l.Effective.String() != "16.385" || l.Currency != "USD" ||
		l.ChargeID != storetest.ID("charge", "box") {
		t.Errorf("line: %+v", l)
	}
}
