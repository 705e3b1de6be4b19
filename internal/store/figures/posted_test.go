package figures_test

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// addUpToy rolls up the days of the toy ledger.
func addUpToy(t *testing.T, s *store.Store) {
	t.Helper()
	storetest.Clean(t, s)
	storetest.MustExec(t, s, "delete from stale_days")
	var days []period.Second
	for n := 1; n <= 3; n++ {
		days = append(days, storetest.Day(n).From)
	}
	for len(days) > 0 {
		done, _, err := s.RollUpDays(t.Context(), "costs", days)
		if err != nil {
			t.Fatal(err)
		}
		days = days[done:]
	}
}

// Postings of a bill stay with its lines when another delivery repeats them, and move to the bill that takes the
// lines over.
func TestPostedLinesFollowTheirBill(t *testing.T) {
	s, w, _ := storetest.ToyLedger(t)
	lines := func(at period.Second, export string, rank int) ledger.Delivery {
		t.Helper()
		d, charges := storetest.Bill(at, storetest.ChargeOf(storetest.At(1, 3), "1.000000000001"),
			storetest.ChargeOf(storetest.At(1, 4), "-0.2"),
			storetest.ChargeOf(storetest.At(2, 3), "3"), storetest.ChargeOf(storetest.At(3, 3), "0.7"))
		d.Export, d.Rank = export, rank
		d.ID = ledger.NewID("delivery", export, at.Time().String())
		d.Digest[0]++ // columns that are not posted
		storetest.MustPublish(t, s, d, charges, "published")
		parts := storetest.PartsOf(charges, w.Nodes[0].ID)
		parts[3].NodeID, parts[3].Kind, parts[3].OwnerID = ledger.ID{}, ledger.PartNonGPU, w.Owners[0].ID
		if err := s.ReplaceParts(t.Context(), d.ID, "fleet", storetest.SeqOf(parts)); err != nil {
			t.Fatal(err)
		}
		return d
	}
	stale := func() int { return storetest.One[int](t, s, "select count(distinct day)::int from stale_days") }
	posted := func(when string, d ledger.Delivery) {
		t.Helper()
		sameAsLedger(t, s, when, "reconciliation", metrics.Options{})
		row := storetest.RowWith(t,
			storetest.Table(t, s, "reconciliation", metrics.Options{Filter: "metric = effective_cost"}),
			"delivery_id", d.ID.String())
		if row["posted_total"] != "4.500000000001" || row["unposted_charges"] != "0" {
			t.Errorf("%s: %v", when, row)
		}
	}
	first, _ := storetest.Bill(100)
	addUpToy(t, s)
	if storetest.One[int](t, s, "select count(*)::int from star.posted_days") == 0 {
		t.Fatal("nothing was added up")
	}
	again := lines(200, first.Export, first.Rank)
	if n := stale(); n != 0 {
		t.Errorf("the same lines in the next delivery mark %d days", n)
	}
	posted("the next delivery", again)
	other := lines(300, "another", first.Rank+1)
	if n := stale(); n != 3 {
		t.Errorf("lines that become another export's mark %d days", n)
	}
	posted("another export, days marked", other)
	addUpToy(t, s)
	posted("another export, added up", other)
}
