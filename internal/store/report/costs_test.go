package report_test

import (
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// One provisional posting makes a row provisional; provisional_cost is its provisional part.
func TestProvisionalCostIsPartOfTheRow(t *testing.T) {
	s := storetest.SmallLedger(t)
	if got := storetest.Asked(t, s, "costs", "provisional_cost", metrics.Options{Filter: "state = open"}); got != "0" {
		t.Errorf("all is billed, and %s is provisional", got)
	}
	storetest.Run(t, s.Pool, `update postings set state = 'provisional', cause = 'used' where cause = 'lost'`)
	billed := map[string]string{"effective_cost": "34", "provisional_cost": "8.1925", "state": "provisional"}
	storetest.Wants(t, storetest.Table(t, s, "costs",
		metrics.Options{From: "2026-11-02T10:00", To: "2026-11-02T11:00"})[0], billed)

	rows := storetest.Table(t, s, "costs", metrics.Options{GroupBy: "cause"})
	storetest.Wants(t, storetest.RowWith(t, rows, "cause", "used"),
		map[string]string{"effective_cost": "16.385", "provisional_cost": "8.1925", "state": "provisional"})
	storetest.Wants(t, storetest.RowWith(t, rows, "cause", "free"), map[string]string{"provisional_cost": "0"})
	for _, r := range rows {
		if r["currency"] == "" && r["provisional_cost"] != "" {
			t.Errorf("hours without a price cost %q provisionally", r["provisional_cost"])
		}
	}
}
