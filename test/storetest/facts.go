package storetest

import (
	"testing"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
)

// RollNovember rolls up a month of smallLedger and similar ledgers, days and month.
func RollNovember(t *testing.T, s *store.Store) {
	t.Helper()
	Run(t, s.Pool, "delete from dirty")
	var days []period.Second
	for _, d := range November(true) {
		days = append(days, d.Day)
	}
	for len(days) > 0 {
		done, _, err := s.RollUpDays(t.Context(), "costs", days)
		if err != nil {
			t.Fatal(err)
		}
		days = days[done:]
	}
	if _, err := s.RollUpMonths(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Asked is the sum of a column over the rows of an answer.
func Asked(t *testing.T, s *store.Store, dataset, column string, o metrics.Options) string {
	t.Helper()
	return SumColumn(t, Table(t, s, dataset, o), column)
}

// AddUp fills roll-ups of days of November from their source tables.
func AddUp(t *testing.T, s *store.Store, rollups ...string) {
	t.Helper()
	for _, name := range rollups {
		f, r := star.Of(name)
		table := f.Table(r, star.Days)
		source, _ := table.Source()
		Run(t, s.Pool, report.FilledIn(table.Fill(source.Within()), period.MonthOf(Second("2026-11-01T00"))))
	}
}
