package storetest

import (
	"testing"

	"gpuledger/internal/store"
	"gpuledger/metrics"
)

// RunRow is a run's row of the dataset runs.
func RunRow(t testing.TB, s *store.Store, id string) map[string]string {
	t.Helper()
	rows := Table(t, s, "runs", metrics.Options{Filter: "run_id = '" + id + "'"})
	if len(rows) != 1 {
		t.Fatalf("%d rows of %s: %v", len(rows), id, rows)
	}
	return rows[0]
}
