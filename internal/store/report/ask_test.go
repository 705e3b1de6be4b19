package report_test

import (
	"errors"
	"testing"

	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/test/storetest"
)

// TestSQLOfEveryGroupingRuns: the SQL that a panel offers for a dataset by any of its keys is a statement over the views
// that PostgreSQL can plan. Questions that the views cannot answer have a reason instead.
func TestSQLOfEveryGroupingRuns(t *testing.T) {
	s := storetest.SmallLedger(t)
	planned := 0
	for _, d := range metrics.Datasets {
		for _, key := range append([]string{""}, d.GroupKeys()...) {
			q := ask.Question{Dataset: d.Name, Options: metrics.Options{GroupBy: key}}
			if _, err := q.Query(); err != nil {
				continue // needs other options
			}
			text, err := q.SQL()
			if refused := new(ask.NoSQLError); errors.As(err, &refused) {
				continue
			}
			if err != nil {
				t.Errorf("%s by %q: %v", d.Name, key, err)
				continue
			}
			if _, err := s.Pool.Exec(t.Context(), "explain "+text); err != nil {
				t.Errorf("%s by %q: %v\n%s", d.Name, key, err, text)
			}
			planned++
		}
	}
	if planned < 200 {
		t.Errorf("%d questions have SQL", planned)
	}
}
