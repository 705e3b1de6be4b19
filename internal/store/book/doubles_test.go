package book_test

import (
	"testing"

	"gpuledger/allocation/fleet"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/verify"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// The possible double is the smaller cost of two machines in each currency that both have, and the provisional cost of
// a machine that no bill names; without provisional cost there is no suspicion. Verify warns but passes.
func TestPossibleDoublesHaveTheSmallerCost(t *testing.T) {
	s := storetest.SmallLedger(t)
	billed, other, free := storetest.ID("instance", "i-1"), storetest.ID("node", "other"), storetest.ID("node", "free")
	for _, v := range []struct {
		node                 ledger.ID
		kind, hour, currency string
		cost                 any
	}{
		// after both were seen
		{other, "provisional", "2026-11-02T10:00:00Z", "USD", "12.5"},
		{other, "provisional", "2026-11-02T11:00:00Z", "USD", "7"},
		{other, "provisional", "2026-11-02T10:00:00Z", "EUR", "3"},
		{other, "provisional", "2026-11-02T10:00:00Z", "USD", nil},
		{other, "compute", "2026-11-02T10:00:00Z", "USD", "1"}, {free, "provisional", "2026-11-02T10:00:00Z", "USD", nil},
	} {
		storetest.Run(t, s.Pool, `insert into parts (tenant_id, part_id, number, kind, node_id, hour, currency,
			  effective_cost, usage_seconds, method, quality)
			values (1, gen_random_uuid(), 0, $1, $2, $3::timestamptz, $4, $5::numeric, 3600, 'rate', 'measured')`,
			v.kind, v.node, v.hour, v.currency, v.cost)
	}
	unsure := storetest.ID("node", "unsure")
	storetest.Run(t, s.Pool, `insert into parts (tenant_id, part_id, number, kind, node_id, hour, currency, usage_seconds,
		  method, quality)
		values (1, gen_random_uuid(), 0, 'provisional', $1, '2026-11-02T10:00:00Z', 'USD', 3600, 'may be billed', 'measured')`,
		unsure)
	const ten = period.Second(1793613600) // 2026-11-02 10:00 UTC
	hours, err := s.ProvisionalHours(t.Context(), []ledger.ID{billed, other, free, unsure})
	if err != nil || len(hours) != 2 || hours[unsure] != (period.Interval{From: ten, To: ten + 3600}) ||
		hours[other] != (period.Interval{From: ten, To: ten + 7200}) {
		t.Errorf("hours with provisional cost: %v, %v", hours, err)
	}
	during := period.Interval{From: ten + 600, To: ten + 3000}
	found := []fleet.Double{
		{
			What: fleet.NeverMet, A: billed, B: free, NameA: fleet.Name{Node: "i-1"},
			NameB: fleet.Name{Cluster: "b", Node: "free"}, During: during,
		},
		{
			What: fleet.NeverMet, A: billed, B: other, NameA: fleet.Name{Node: "i-1"},
			NameB: fleet.Name{Cluster: "b", Node: "other"}, During: during,
		},
		{
			What: fleet.NeverMet, A: billed, B: unsure, NameA: fleet.Name{Node: "i-1"},
			NameB: fleet.Name{Cluster: "b", Node: "unsure"}, During: during,
		},
		{
			What: fleet.TwoClusters, A: billed, B: billed, NameA: fleet.Name{Cluster: "prod", Node: "node-1"},
			NameB: fleet.Name{Cluster: "b", Node: "same"}, During: during,
		},
		{
			What: fleet.TwoClusters, A: billed, B: other, NameA: fleet.Name{Cluster: "prod", Node: "node-1"},
			NameB: fleet.Name{Cluster: "c", Node: "other"}, During: during,
		},
	}
	for range 2 { // the second time replaces the first
		if err := s.SaveDoubles(t.Context(), found); err != nil {
			t.Fatal(err)
		}
	}
	rows := storetest.Table(t, s, "conflicts", metrics.Options{})
	want := []map[string]string{
		{"what": metrics.MachineBill, "kept": "i-1", "other": "b/other", "currency": "EUR", "may_be_double": "3"},
		{
			"what": metrics.MachineBill, "kept": "i-1", "other": "b/other",
			"currency": "USD", "may_be_double": "12.5", "first_seen": "2026-11-02T10:10:00Z",
		},
		{"what": metrics.MachineBill, "kept": "i-1", "other": "b/unsure", "currency": "", "may_be_double": ""},
		{
			"what": metrics.MachineClusters, "kept": "prod/node-1", "cluster": "b",
			"subject": "same", "currency": "", "may_be_double": "",
		},
		{
			"what": metrics.MachineClusters, "kept": "prod/node-1", "cluster": "c",
			"subject": "other", "currency": "USD", "may_be_double": "13.5",
		},
	}
	if len(rows) != len(want) {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	for i := range want {
		storetest.Wants(t, rows[i], want[i])
	}
	of, err := metrics.ReadDoubles(t.Context(), s)
	if err != nil || of.Sentence() != "4 machines may be in the ledger twice, and 3.00 EUR and 26.00 USD may be "+
		"double (report conflicts)." {
		t.Errorf("%q, %v", of.Sentence(), err)
	}
	for month, warned := range map[string]bool{"": true, "2026-11": true, "2026-10": false} {
		report, err := s.Verify(t.Context(), verify.Options{Period: month})
		if err != nil || report.Warned() != warned {
			t.Errorf("verify of %q: %v, %+v", month, err, report)
		}
	}
	if err := s.SaveDoubles(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if rows := storetest.Table(t, s, "conflicts", metrics.Options{}); len(rows) != 0 {
		t.Errorf("nothing was found: %v", rows)
	}
}
