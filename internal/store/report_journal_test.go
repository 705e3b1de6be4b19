package store

import (
	"testing"
	"time"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/metrics"
)

// TestJournalDatasets reads what came in, what was refused of it and why.
func TestJournalDatasets(t *testing.T) {
	s := smallLedger(t)
	rec := ingest.ImportRecord{ID: ledger.NewID("import", "journal"), Source: "openmetrics", URI: "m.txt", State: ingest.ImportRunning, StartedAt: time.Unix(1793577600, 0)}
	if err := s.StartImport(t.Context(), rec); err != nil {
		t.Fatal(err)
	}
	rec.State, rec.FinishedAt = ingest.ImportPublished, rec.StartedAt.Add(time.Second)
	rec.RejectedByReason, rec.IgnoredByReason = map[string]int64{"not a number": 2, "bad labels": 3}, map[string]int64{"some_metric": 7}
	rec.Rejections = []ledger.Rejection{{File: "m.txt", Line: 3, Column: "value", Reason: "not a number", Detail: "found x"}, {File: "m.txt", Reason: "bad labels"}}
	if err := s.FinishImport(t.Context(), rec); err != nil {
		t.Fatal(err)
	}
	rows := table(t, s, "import_counts", metrics.Options{Filter: "source = openmetrics"})
	if len(rows) != 3 {
		t.Fatalf("%d counts: %v", len(rows), rows)
	}
	wants(t, rows[0], map[string]string{"kind": "rejected", "reason": "bad labels", "rows": "3", "import_id": rec.ID.String()})
	wants(t, rows[2], map[string]string{"kind": "ignored", "reason": "some_metric", "rows": "7"})
	rows = table(t, s, "rejections", metrics.Options{})
	if len(rows) != 2 {
		t.Fatalf("%d rejections: %v", len(rows), rows)
	}
	wants(t, rows[0], map[string]string{"ordinal": "1", "file": "m.txt", "line": "3", "column": "value", "reason": "not a number", "detail": "found x"})
	wants(t, rows[1], map[string]string{"ordinal": "2", "line": "", "column": "", "detail": ""})
	rows = table(t, s, "deliveries", metrics.Options{Filter: "state = current"})
	if len(rows) != 1 {
		t.Fatalf("%d current deliveries: %v", len(rows), rows)
	}
	wants(t, rows[0], map[string]string{"source": "aws-cur", "role": "book", "partition": "2026-11", "superseded_by": ""})
}
