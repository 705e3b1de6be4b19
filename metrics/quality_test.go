package metrics

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

func TestWorstQuality(t *testing.T) {
	for _, test := range []struct {
		measured, estimated, assumed string // "": no row
		want                         ledger.Quality
	}{
		{"", "", "", ""}, {"5", "", "", ledger.Measured},
		{"99.01", "", "0.99", ledger.Measured}, {"99", "", "1", ledger.Assumed},
		{"98", "2", "", ledger.Estimated}, {"97", "2", "1", ledger.Assumed}, {"98.5", "1.1", "0.4", ledger.Estimated},
		{"5", "0", "0", ledger.Measured}, {"0", "0", "", ledger.Estimated}, {"", "", "0", ledger.Assumed},
	} {
		cost := map[ledger.Quality]money.Amount{}
		for q, a := range map[ledger.Quality]string{
			ledger.Measured: test.measured, ledger.Estimated: test.estimated, ledger.Assumed: test.assumed,
		} {
			if a != "" {
				cost[q] = money.MustParse(a)
			}
		}
		if got := WorstQuality(cost); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}
