package figures

import (
	"testing"

	"gpuledger/metrics"
)

// Pages of datasets that can be grouped by any key have totals, as pages of ungrouped rows do.
func TestGroupedDatasetsHaveTotals(t *testing.T) {
	for name, keys := range map[string]int{"chargeback": 1, "costs": 1, "spot": 1, "queue": 1} {
		q, err := metrics.Parse(name, metrics.Options{GroupBy: wholeBy(name)})
		if err != nil || len(q.GroupBy) != keys || q.GroupBy[0].Name == "team" {
			t.Errorf("%s: totals are grouped by %v: %v", name, q.GroupBy, err)
		}
	}
}
