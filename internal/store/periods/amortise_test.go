package periods_test

import (
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/test/storetest"
)

// TestWhatAmortisesIsClosedWithItsHours: parts of an October fee that amortises until December are postings of October,
// November and December, which close and reopen with their month (rule 13.3).
func TestWhatAmortisesIsClosedWithItsHours(t *testing.T) {
	s, w, _ := storetest.ToyLedger(t)
	bill := func(export string, month period.Month, at period.Second, cost string) (ledger.Delivery, []ledger.Part) {
		fee := storetest.ChargeOf(at, cost)
		fee.Account, fee.BillingPeriod, fee.InstanceID, fee.InstanceSeconds = "222", month, "", nil
		d, charges := storetest.Bill(100, fee)
		d.Export, d.Partition, d.ID = export, string(month), ledger.NewID("delivery", export, string(month))
		for i := range d.Totals {
			d.Totals[i].BillingPeriod = month
		}
		storetest.MustPublish(t, s, d, charges, "published")
		parts := storetest.PartsOf(charges, ledger.ID{})
		parts[0].Kind, parts[0].OwnerID, parts[0].UsageSeconds = ledger.PartNonGPU, w.Owners[0].ID, nil
		return d, parts
	}
	if err := s.EnsureMonths(t.Context(), "parts",
		pg.MonthsOf(storetest.At(0, 0), storetest.At(30, 0), storetest.At(60, 0))); err != nil {
		t.Fatal(err)
	}
	d, parts := bill("arn:fees", "2026-10", storetest.At(2, 5), "9")
	for _, hour := range []period.Second{storetest.At(2, 5), storetest.At(30, 0), storetest.At(60, 0)} {
		for _, amount := range []string{"-3", "3"} {
			half := parts[0]
			half.Number = len(parts)
			half.ID, half.Hour, half.PostingKind = ledger.NewID("part", half.ChargeID.String(), hour.String(), amount), hour,
				ledger.Amortise
			half.Costs = ledger.Costs{Effective: storetest.Amount(amount)}
			parts = append(parts, half)
		}
	}
	if err := s.ReplaceParts(t.Context(), d.ID, "fleet", storetest.SeqOf(parts)); err != nil {
		t.Fatal(err)
	}
	d, parts = bill("arn:november", "2026-11", storetest.At(30, 7), "2") // so that there is something to close
	if err := s.ReplaceParts(t.Context(), d.ID, "fleet", storetest.SeqOf(parts)); err != nil {
		t.Fatal(err)
	}
	storetest.SaveDirty(t, s, w)
	settled := func(when, want string) {
		t.Helper()
		got := storetest.Dump(t, s, `select to_char(hour at time zone 'UTC',
			  'YYYY-MM') || ' ' || billing_period || ' ' || state from postings
			where kind = 'amortise' group by hour, billing_period, state order by hour`)
		if strings.TrimSpace(got) != want {
			t.Errorf("%s: amortised\n%s\nwant\n%s", when, got, want)
		}
		if f := storetest.Failed(t, s); f != "" { // terms go with parts
			t.Errorf("%s: %s", when, f)
		}
	}
	c := storetest.CloserAt(s)
	settled("open", "2026-10 2026-10 open\n2026-11 2026-11 open\n2026-12 2026-12 open")
	storetest.MustClose(t, s)
	settled("October closed", "2026-10 2026-10 final\n2026-11 2026-11 open\n2026-12 2026-12 open")
	if _, err := c.Close(t.Context(), "2026-11", "", "finance"); err != nil {
		t.Fatal(err)
	}
	settled("November closed", "2026-10 2026-10 final\n2026-11 2026-11 final\n2026-12 2026-12 open")
	if _, err := c.Reopen(t.Context(), "2026-11", "999", "an invoice for somebody else", "finance"); err != nil {
		t.Fatal(err)
	}
	got := storetest.Dump(t, s,
		"select distinct billing_period || ' ' || state from postings where kind = 'amortise' and hour >= '2026-11-01' "+
			"order by 1")
	if strings.TrimSpace(got) != "2026-11 open\n2026-12 open" {
		t.Errorf("November reopened: %s", got)
	}
}
