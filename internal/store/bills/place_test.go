package bills_test

import (
	"errors"
	"strings"
	"testing"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
	"gpuledger/test/storetest"
)

// Deliveries of an append-only export on one day add up. A delivery that was planned before another one came is planned
// again.
func TestAppendedDeliveriesAddUp(t *testing.T) {
	s := storetest.New(t)
	one, two, three := storetest.ChargeOf(storetest.At(0, 1), "1"), storetest.ChargeOf(storetest.At(0, 2), "2"),
		storetest.ChargeOf(storetest.At(0, 3), "3")
	appended := func(rows string, beside []ledger.ID, c ...ledger.Charge) (ledger.Delivery, []ledger.Charge) {
		d, charges := storetest.Bill(100, c...)
		d.Kind, d.Partition, d.Appended, d.Beside = ledger.Append, "2026-10-05", []byte(rows), beside
		return d, charges
	}
	a, ca := appended("a", nil, one)
	storetest.MustPublish(t, s, a, ca, ingest.DeliveryPublished)
	b, cb := appended("b", []ledger.ID{a.ID}, two)
	storetest.MustPublish(t, s, b, cb, ingest.DeliveryPublished)
	for name, beside := range map[string][]ledger.ID{
		"nothing was there": nil, "one was there": {a.ID}, "a third was there": {a.ID, b.ID, ledger.NewID("gone")},
	} {
		d, c := appended("c", beside, three)
		if _, err := storetest.PublishAll(t, s, d, c); !errors.Is(err, ingest.ErrAnotherAppended) {
			t.Errorf("planned when %s: %v", name, err)
		}
	}
	list, err := s.Appended(t.Context(), a)
	if err != nil || len(list) != 2 || string(list[0].Rows)+string(list[1].Rows) != "ab" &&
		string(list[0].Rows)+string(list[1].Rows) != "ba" {
		t.Errorf("%v (%v)", list, err)
	}
	// A delivery with all of their rows in the other form replaces them.
	d, c := appended("abc", []ledger.ID{a.ID, b.ID}, one, two, three)
	d.Replaces = d.Beside
	storetest.MustPublish(t, s, d, c, ingest.DeliveryPublished)
	if list, err = s.Appended(t.Context(), a); err != nil || len(list) != 1 || list[0].ID != d.ID {
		t.Errorf("%v (%v)", list, err)
	}
}

// The same rows in another form replace each other without a later time.
func TestTheSameRowsInAnotherFormReplaceEachOther(t *testing.T) {
	s := storetest.New(t)
	plain, lines := storetest.Bill(100, storetest.ChargeOf(storetest.At(0, 1), "1"),
		storetest.ChargeOf(storetest.At(0, 2), "2"))
	whole := lines[0]
	whole.ID, whole.Effective, whole.Billed, whole.List = ledger.NewID("aggregate"), storetest.Amount("3"),
		storetest.Amount("3"), storetest.Amount("2.424")
	whole.Aggregate = &ledger.Aggregate{Lines: 2, Ranges: []ledger.LineRange{{First: 1, Last: 2}}}
	packed := plain
	packed.Aggregated, packed.ID = true, ledger.NewID("delivery", "aggregated")
	storetest.MustPublish(t, s, packed, []ledger.Charge{whole}, ingest.DeliveryPublished)
	storetest.MustPublish(t, s, plain, lines, ingest.DeliveryPublished)
	if got := chargesOf(t, s, plain.ID); len(got) != 2 {
		t.Errorf("%d lines", len(got))
	}
	storetest.MustPublish(t, s, plain, lines, ingest.DeliveryUnchanged)
}

// An account that moves between payers is on both bills.
func TestTwoPayersOfOneAccountAreBothBooks(t *testing.T) {
	s := storetest.New(t)
	a, ca := storetest.Bill(100, storetest.ChargeOf(storetest.At(0, 1), "1"))
	storetest.MustPublish(t, s, a, ca, ingest.DeliveryPublished)
	moved := storetest.ChargeOf(storetest.At(0, 2), "2")
	moved.BillingAccount = "888"
	b, cb := storetest.Bill(100, moved)
	b.Export, b.Scope, b.ID = "arn:other", "888", ledger.NewID("delivery", "other payer")
	storetest.MustPublish(t, s, b, cb, ingest.DeliveryPublished)
	got := storetest.Dump(t, s, `select distinct d.scope || ' ' || t.role || case when t.counts_seconds then ' counts'
		  else '' end from deliveries d join control_totals t using (tenant_id, delivery_id) where d.tenant_id = 1 order by 1`)
	if got != "888 book counts\n999 book counts" {
		t.Errorf("%q", got)
	}
}

// The file read at each place is recorded, so that a bill overwritten there is newer, regardless of who imports it.
func TestABillOverwrittenAtItsPlaceIsNewer(t *testing.T) {
	s := storetest.New(t)
	bill := func(cost, place, content string) (ledger.Delivery, []ledger.Charge) {
		d, charges := storetest.Bill(0, storetest.ChargeOf(storetest.At(0, 1), cost))
		d.Places = []ledger.DeliveryPlace{{Path: place}}
		copy(d.Places[0].SHA256[:], content)
		return d, charges
	}
	long := "/bills/" + strings.Repeat("very long ", 400) // longer than an index key may be
	one, c1 := bill("1", long, "a")
	two, c2 := bill("2", long, "b")
	there, c3 := bill("3", "/elsewhere", "a")
	storetest.MustPublish(t, s, one, c1, ingest.DeliveryPublished)
	storetest.MustPublish(t, s, two, c2, ingest.DeliveryPublished)
	storetest.MustPublish(t, s, two, c2, ingest.DeliveryUnchanged)
	storetest.MustPublish(t, s, one, c1, ingest.DeliveryPublished) // the earlier file is back
	if state, err := storetest.PublishBill(t, s, there, c3); err == nil ||
		!strings.Contains(err.Error(), "--delivered-at") {
		t.Errorf("at another place it became %q, %v", state, err)
	}
	at := storetest.At(9, 0)
	there.DeliveredAt = &at
	storetest.MustPublish(t, s, there, c3, ingest.DeliveryPublished)
	storetest.MustPublish(t, s, one, c1, ingest.DeliveryOlder) // read there before, not newer
	if got := storetest.Dump(t, s,
		"select state || ' ' || (select count(*) from delivery_places p where p.tenant_id = d.tenant_id and "+
			"p.delivery_id = d.delivery_id) from deliveries d "+
			"where d.tenant_id = 1 order by 1"); got != "current 1\nsuperseded 0\nsuperseded 1" {
		t.Errorf("%q", got)
	}
}

// If one import has two append-only exports of one account and month, one of them is book for the whole month, never
// for some days. A stored one stays book.
func TestOfTwoAppendedExportsOneCountsWhole(t *testing.T) {
	days := []string{"2026-10-05", "2026-10-06", "2026-10-07"}
	publish := func(s *store.Store, name string, exports ...string) (out []ingest.PublishedDelivery) {
		t.Helper()
		stage, err := s.StageCharges(t.Context(), ledger.NewID("import", name))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = stage.Discard(t.Context()) }()
		var deliveries []ledger.Delivery
		for n, day := range days {
			for _, export := range exports {
				c := storetest.ChargeOf(storetest.At(0, float64(n)), "1")
				c.ID = ledger.NewID("charge", export, day)
				d, charges := storetest.Bill(0, c)
				d.Kind, d.Export, d.Partition, d.Appended = ledger.Append, export, day, []byte(day)
				d.ID = ledger.NewID("delivery", export, day)
				if err := stage.Write(t.Context(), len(deliveries), charges); err != nil {
					t.Fatal(err)
				}
				deliveries = append(deliveries, d)
			}
		}
		for range 3 {
			out, err = stage.Publish(t.Context(), deliveries)
			bad, others := ingest.DeliveryErrors(err)
			if err == nil {
				return out
			}
			if others || len(bad) != len(days) { // all of one export
				t.Fatalf("%d of an export are refused: %v", len(bad), err)
			}
			for _, one := range bad {
				stage.Drop(one.Slot)
			}
		}
		t.Fatal(err)
		return nil
	}
	const books = "select string_agg(distinct export || ' ' || partition_key, ', ') from deliveries where tenant_id = 1"
	whole := func(export string) string { return export + " " + strings.Join(days, ", "+export+" ") }
	s := storetest.New(t)
	publish(s, "both", "a", "b")
	if got := storetest.Dump(t, s, books); got != whole("a") && got != whole("b") {
		t.Errorf("both at once: %s", got)
	}
	s = storetest.New(t)
	publish(s, "first", "b")
	days = append(days, "2026-10-08")
	publish(s, "second", "a")
	if got := storetest.Dump(t, s, books); got != whole("b")[:len(whole("b"))-len(", b 2026-10-08")] {
		t.Errorf("one after the other: %s", got)
	}
}
