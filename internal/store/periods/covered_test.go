package periods_test

import (
	"testing"

	"gpuledger/internal/closing"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/storetest"
)

// TestAMonthCoversWhenAllThatBillItClosedIt (rule 8.13): two billing accounts bill account 111. Its month is covered
// while it is closed in both, and each change marks the hours with provisional cost for recomputation.
func TestAMonthCoversWhenAllThatBillItClosedIt(t *testing.T) {
	s, w, names := storetest.ToyLedger(t)
	other := storetest.ChargeOf(storetest.At(1, 6), "2")
	other.ID, other.BillingAccount = ledger.NewID("charge", "of another payer"), "888"
	d, charges := storetest.Bill(100, other)
	d.Export, d.Scope, d.ID = "arn:other", "888", ledger.NewID("delivery", "of another payer")
	storetest.MustPublish(t, s, d, charges, "published")
	if err := s.ReplaceParts(t.Context(), d.ID, "fleet",
		storetest.SeqOf(storetest.PartsOf(charges, w.Nodes[0].ID))); err != nil {
		t.Fatal(err)
	}
	storetest.SaveDirty(t, s, w)
	storetest.MustExec(t, s, `insert into parts (tenant_id, part_id, node_id, hour, kind, currency, effective_cost, method,
		  quality, number)
		values (1, gen_random_uuid(), $1, $2, 'provisional', 'USD', 1, 'rate', 'measured', 0)`,
		w.Nodes[1].ID, storetest.At(4, 8))

	bill, month := storetest.At(3, 4), period.MonthOf(storetest.At(1, 0)).To
	covered := func(when string, until period.Second, dirty string) {
		t.Helper()
		got, err := s.Coverage(t.Context())
		if err != nil || got["111"] != until {
			t.Errorf("%s: covered until %v, want %v, %v", when, got["111"], until, err)
		}
		if days := storetest.DirtyDays(t, s, names); days != dirty {
			t.Errorf("%s: %q wait to be computed, want %q", when, days, dirty)
		}
	}
	covered("open", bill, "")
	c := storetest.CloserAt(s)
	mustClose := func(account string) { // without verify: the part has no postings
		t.Helper()
		err := s.Books(t.Context(), func(b closing.Books) error {
			_, err := b.Close(t.Context(), account, "2026-10", "finance", c.Now())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	mustClose("999")
	covered("closed by one", bill, "")
	mustClose("888")
	covered("closed by both", month, "b@4")
	storetest.Clean(t, s)
	storetest.MustExec(t, s, "delete from stale_days")
	if _, err := c.Reopen(t.Context(), "2026-10", "888", "it was not complete", "finance"); err != nil {
		t.Fatal(err)
	}
	if b, err := s.Backlog(t.Context()); err != nil || b.StaleDays == 0 {
		t.Errorf("no day is added up again after its month is open again: %+v %v", b, err)
	}
	covered("reopened by one", bill, "b@4 a@1")
}
