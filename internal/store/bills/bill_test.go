package bills_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/verify"
	"gpuledger/test/storetest"
)

func chargesOf(t testing.TB, s *store.Store, delivery ledger.ID) []ledger.Charge {
	t.Helper()
	var list []ledger.Charge
	for c, err := range s.ScanCharges(t.Context(), delivery) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, *c)
	}
	return list
}

func TestChargesAreStoredExactly(t *testing.T) {
	s := storetest.New(t)
	odd := storetest.ChargeOf(storetest.At(0, 5), "0.000000000000000123")
	odd.Kind, odd.Tags, odd.Class, odd.CommitmentID = ledger.LineNegation, nil, "Correction", "arn:sp"
	odd.List, odd.UsageAmount, odd.InstanceHours, odd.InstanceType, odd.PriceClass = nil, nil, false, "", ""
	d, charges := storetest.Bill(0, storetest.ChargeOf(storetest.At(0, 3), "1.212"),
		storetest.ChargeOf(storetest.At(0, 4), "-7"), odd)
	storetest.MustPublish(t, s, d, charges, ingest.DeliveryPublished)
	book, err := s.BookDeliveries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]posting.BookDelivery{{ID: d.ID, BillingPeriod: "2026-10", Scope: "999",
		Keys: []posting.BookKey{{Account: "111", BillingPeriod: "2026-10", Currency: "USD"}}}}, book); diff != "" {
		t.Error("book (-want +got):\n", diff)
	}
	got := chargesOf(t, s, d.ID)
	byID := map[ledger.ID]ledger.Charge{}
	for i, c := range got {
		byID[c.ID] = c
		if i > 0 && strings.Compare(got[i-1].ID.String(), c.ID.String()) >= 0 {
			t.Error("not in charge id order")
		}
	}
	for _, c := range charges {
		if diff := cmp.Diff(c, byID[c.ID], cmp.Comparer(func(a, b money.Amount) bool { return a.Cmp(b) == 0 })); diff != "" {
			t.Error("charge (-want +got):\n", diff)
		}
	}
	w, err := s.World(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []posting.BilledInstance{{InstanceID: "i-a", Line: w.Billed[0].Line, InstanceType: "g5.2xlarge",
		Region: "us-east-1", Zone: "us-east-1a", PriceClass: ledger.OnDemand, Account: "111",
		Tags: map[string]string{"user_team": "ml"}, Period: period.Interval{From: storetest.At(0, 3), To: storetest.At(0, 5)},
		Currency: "USD", Effective: storetest.Amount("-7"),
		Seconds: charges[1].InstanceSeconds, UsageAmount: storetest.Amount("1")}}
	if diff := cmp.Diff(want, w.Billed, cmp.Comparer(func(a, b money.Amount) bool { return a.Cmp(b) == 0 })); diff != "" {
		t.Error("billed (-want +got):\n", diff)
	}
	covered, err := s.Coverage(t.Context())
	if err != nil || covered["111"] != storetest.At(0, 5) {
		t.Errorf("covered until %v, %v", covered, err)
	}
}

// TestDiscountsSayNothingOfThePriceClass: a discount has the hour of the line that it modifies. Whichever of the two
// comes first, only the line shows how the machine was bought.
func TestDiscountsSayNothingOfThePriceClass(t *testing.T) {
	s := storetest.New(t)
	var all []ledger.Charge
	for i := range 8 {
		key := "i-" + strconv.Itoa(i)
		box := storetest.ChargeOf(storetest.At(0, 3), "5.00"+strconv.Itoa(i))
		box.InstanceID, box.ResourceID = key, key
		off := box
		off.Kind, off.PriceClass, off.InstanceSeconds, off.UsageAmount, off.Effective = ledger.LineDiscount, "", nil, nil,
			storetest.Amount("-1.00"+strconv.Itoa(i))
		off.ID = ledger.NewID("charge", "off", key)
		all = append(all, box, off)
	}
	d, charges := storetest.Bill(0, all...)
	storetest.MustPublish(t, s, d, charges, ingest.DeliveryPublished)
	w, err := s.World(t.Context())
	if err != nil || len(w.Billed) != 8 {
		t.Fatalf("%d machines, %v", len(w.Billed), err)
	}
	for _, b := range w.Billed {
		if b.PriceClass != ledger.OnDemand || b.Effective == nil || b.Effective.Cmp(*storetest.Amount("4")) != 0 {
			t.Errorf("%s: class %q, effective %v", b.InstanceID, b.PriceClass, b.Effective)
		}
	}
}

func TestDeliveriesReplaceEachOtherByTheirTime(t *testing.T) {
	a, ca := storetest.Bill(100, storetest.ChargeOf(storetest.At(0, 3), "1"))
	b, cb := storetest.Bill(200, storetest.ChargeOf(storetest.At(0, 3), "2"))
	again, _ := storetest.Bill(300, storetest.ChargeOf(storetest.At(0, 3), "1"))
	noTime, cn := storetest.Bill(0, storetest.ChargeOf(storetest.At(0, 3), "3"))
	sameTime, cs := storetest.Bill(300, storetest.ChargeOf(storetest.At(0, 3), "4"))
	s := storetest.New(t)
	storetest.MustPublish(t, s, b, cb, ingest.DeliveryPublished)
	storetest.MustPublish(t, s, b, cb, ingest.DeliveryUnchanged)
	storetest.MustPublish(t, s, a, ca, ingest.DeliveryOlder)
	storetest.MustPublish(t, s, a, ca, ingest.DeliveryOlder)
	storetest.MustPublish(t, s, again, ca, ingest.DeliveryPublished) // the older rows, delivered again
	storetest.MustPublish(t, s, b, cb, ingest.DeliveryOlder)
	for _, bad := range []struct {
		d ledger.Delivery
		c []ledger.Charge
	}{{noTime, cn}, {sameTime, cs}} {
		if state, err := storetest.PublishBill(t, s, bad.d, bad.c); err == nil ||
			!strings.Contains(err.Error(), "--delivered-at") {
			t.Errorf("a delivery without an order became %q, %v", state, err)
		}
	}
	if got := storetest.Dump(t, s,
		"select state || ' ' || extract(epoch from delivered_at)::int from deliveries "+
			"where tenant_id = 1 order by 1"); got != "current 300\nsuperseded 200" {
		t.Errorf("deliveries are %q", got)
	}
	if got := chargesOf(t, s, again.ID); len(got) != 1 || got[0].Billed.String() != "1" {
		t.Errorf("the book has %v", got)
	}
}

// The same deliveries in any order give the same result.
func TestDeliveryOrderDoesNotMatter(t *testing.T) {
	a1, ca := storetest.Bill(100, storetest.ChargeOf(storetest.At(0, 3), "1"))
	b2, cb := storetest.Bill(200, storetest.ChargeOf(storetest.At(0, 3), "2"))
	a3, _ := storetest.Bill(300, storetest.ChargeOf(storetest.At(0, 3), "1"))
	type step struct {
		d ledger.Delivery
		c []ledger.Charge
	}
	steps := []step{{a1, ca}, {b2, cb}, {a3, ca}}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		s := storetest.New(t)
		for _, i := range order {
			if _, err := storetest.PublishBill(t, s, steps[i].d, steps[i].c); err != nil {
				t.Fatal(order, err)
			}
		}
		got := storetest.Dump(t, s, `select d.delivery_id || ' ' || extract(epoch from d.delivered_at)::int || ' ' || trim_scale(c.billed_cost)
			from deliveries d
			    join charges c using (tenant_id, delivery_id)
			where d.tenant_id = 1 and d.state = 'current'`)
		if want := fmt.Sprintf("%s 300 1", uuidText(a1.ID)); got != want {
			t.Errorf("order %v: current is %q, want %q", order, got, want)
		}
	}
}

func uuidText(id ledger.ID) string {
	h := id.String()
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func TestWrongTotalsAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(*ledger.Delivery){
		"sum":     func(d *ledger.Delivery) { d.Totals[0].SourceTotal = d.Totals[0].SourceTotal.Add(money.FromUnits(1)) },
		"count":   func(d *ledger.Delivery) { d.Totals[0].Charges++ },
		"missing": func(d *ledger.Delivery) { d.Totals = d.Totals[1:] },
		"extra": func(d *ledger.Delivery) {
			d.Totals = append(d.Totals, ledger.ControlTotal{
				Account: "222", BillingPeriod: "2026-10", Currency: "USD", Metric: ledger.BilledCost, Charges: 1,
			})
		},
		"rows": func(d *ledger.Delivery) { d.Rows++ },
	} {
		t.Run(name, func(t *testing.T) {
			s := storetest.New(t)
			d, charges := storetest.Bill(0, storetest.ChargeOf(storetest.At(0, 3), "1"),
				storetest.ChargeOf(storetest.At(0, 4), "2"))
			spoil(&d)
			if state, err := storetest.PublishBill(t, s, d, charges); err == nil {
				t.Errorf("published as %q", state)
			}
			if n := storetest.One[int](t, s,
				"select (select count(*) from charges) + (select count(*) from deliveries) + "+
					"(select count(*) from charge_items)"); n != 0 {
				t.Errorf("%d rows are visible", n)
			}
		})
	}
}

func TestHigherRankIsTheBook(t *testing.T) {
	native, cn := storetest.Bill(0, storetest.ChargeOf(storetest.At(0, 3), "1"))
	focus, cf := storetest.Bill(0, storetest.ChargeOf(storetest.At(0, 3), "1.5"))
	focus.Export, focus.Rank = "focus", 1
	focus.ID = ledger.NewID("delivery", "focus")
	rival, cr := storetest.Bill(0, storetest.ChargeOf(storetest.At(0, 3), "1.7"))
	rival.Export, rival.ID = "other", ledger.NewID("delivery", "other")
	for _, nativeFirst := range []bool{true, false} {
		s := storetest.New(t)
		if nativeFirst {
			storetest.MustPublish(t, s, native, cn, ingest.DeliveryPublished)
			storetest.MustPublish(t, s, focus, cf, ingest.DeliveryPublished)
		} else {
			storetest.MustPublish(t, s, focus, cf, ingest.DeliveryPublished)
			storetest.MustPublish(t, s, native, cn, ingest.DeliveryPublished)
		}
		book, err := s.BookDeliveries(t.Context())
		if err != nil || len(book) != 1 || book[0].ID != native.ID {
			t.Errorf("native first %v: the book is %v, %v", nativeFirst, book, err)
		}
		if got := chargesOf(t, s, focus.ID); len(got) != 0 {
			t.Errorf("evidence is posted: %v", got)
		}
		if _, err := storetest.PublishBill(t, s, rival, cr); err == nil || !strings.Contains(err.Error(), "equal rank") {
			t.Errorf("two books: %v", err)
		}
	}
}

func TestReplacePartsMarksWhatChanged(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	d, charges := storetest.Bill(100, storetest.ChargeOf(storetest.At(1, 3), "1"),
		storetest.ChargeOf(storetest.At(2, 3), "2"), storetest.ChargeOf(storetest.At(3, 3), "3"))
	storetest.MustPublish(t, s, d, charges, ingest.DeliveryPublished)
	parts := storetest.PartsOf(charges, w.Nodes[0].ID)
	replace := func(id ledger.ID, parts []ledger.Part, want string) {
		t.Helper()
		if err := s.ReplaceParts(t.Context(), id, "fleet-1", storetest.SeqOf(parts)); err != nil {
			t.Fatal(err)
		}
		if got := storetest.DirtyDays(t, s, names); got != want {
			t.Errorf("marked %q, want %q", got, want)
		}
		storetest.Clean(t, s)
	}
	replace(d.ID, parts, "a@1 a@2 a@3")
	replace(d.ID, parts, "")
	parts[1].NodeID = ledger.ID{}
	parts[1].Kind = ledger.PartNonGPU
	replace(d.ID, parts, "-@2 a@2")
	replace(d.ID, parts[:2], "a@3")
	book, err := s.BookDeliveries(t.Context())
	if err != nil || book[0].FleetDigest != "fleet-1" {
		t.Errorf("book is %v, %v", book, err)
	}
	if got := storetest.Dump(t, s,
		"select concat_ws('|', kind, hour, billing_period, effective_cost, contracted_cost, usage_seconds) from parts "+
			"where tenant_id = 1 order by hour"); got !=
		"compute|2026-10-06 03:00:00+00|2026-10|1|3600\nnon_gpu|2026-10-07 03:00:00+00|2026-10|2|3600" {
		t.Errorf("parts are %q", got)
	}
	// A newer delivery: its parts replace those of the old one.
	d2, charges2 := storetest.Bill(200, storetest.ChargeOf(storetest.At(1, 3), "1"),
		storetest.ChargeOf(storetest.At(3, 4), "9"))
	storetest.MustPublish(t, s, d2, charges2, ingest.DeliveryPublished)
	storetest.Clean(t, s)
	replace(d2.ID, storetest.PartsOf(charges2, w.Nodes[0].ID), "-@2 a@3") // the part of day 1 only moves
	if n := storetest.One[int](t, s, "select count(*) from parts where tenant_id = 1"); n != 2 {
		t.Errorf("%d parts, want 2", n)
	}
	failed := errors.New("no more parts")
	err = s.ReplaceParts(t.Context(), d2.ID, "fleet-2", func(yield func(*ledger.Part, error) bool) { yield(nil, failed) })
	if !errors.Is(err, failed) {
		t.Errorf("a failing source gives %v", err)
	}
}

func TestAppendDeliveriesOfSeveralMonths(t *testing.T) {
	s := storetest.New(t)
	november := storetest.ChargeOf(storetest.At(30, 3), "2")
	november.BillingPeriod = "2026-11"
	d, charges := storetest.Bill(0, storetest.ChargeOf(storetest.At(1, 3), "1"), november)
	d.Totals = nil
	for _, c := range charges {
		for _, total := range storetest.TotalsOf([]ledger.Charge{c}) {
			total.BillingPeriod = c.BillingPeriod
			d.Totals = append(d.Totals, total)
		}
	}
	storetest.MustPublish(t, s, d, charges, ingest.DeliveryPublished)
	if err := s.ReplaceParts(t.Context(), d.ID, "f",
		storetest.SeqOf(storetest.PartsOf(charges, ledger.ID{}))); err != nil {
		t.Fatal(err)
	}
	if got := storetest.Dump(t, s,
		"select billing_period from parts where tenant_id = 1 order by hour"); got != "2026-10\n2026-11" {
		t.Errorf("billing periods are %q", got)
	}
}

func TestNewCoverageMarksTheHoursItMovesOver(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	storetest.SaveWorld(t, s, w)
	storetest.Clean(t, s)
	d, charges := storetest.Bill(100, storetest.ChargeOf(storetest.At(1, 3), "1"))
	storetest.MustPublish(t, s, d, charges, ingest.DeliveryPublished)
	if got := storetest.DirtyDays(t, s, names); got != "a@0 a@1 b@0 b@1" && got != "b@0 b@1 a@0 a@1" {
		t.Errorf("marked %q", got)
	}
	storetest.Clean(t, s)
	d, charges = storetest.Bill(200, storetest.ChargeOf(storetest.At(1, 3), "1"),
		storetest.ChargeOf(storetest.At(2, 3), "1"))
	storetest.MustPublish(t, s, d, charges, ingest.DeliveryPublished)
	if got := storetest.DirtyDays(t, s, names); got != "a@1 a@2 b@1 b@2" && got != "b@1 b@2 a@1 a@2" {
		t.Errorf("marked %q", got)
	}
}

func TestRatesAndEvents(t *testing.T) {
	s := storetest.New(t)
	ctx := t.Context()
	imp := ledger.NewID("import", "r")
	rate := ledger.Rate{ID: ledger.NewID("rate", "1"), InstanceType: "g5.2xlarge", Region: "us-east-1",
		PriceClass: ledger.OnDemand, Currency: "USD", Hourly: money.MustParse("1.212"),
		Valid: period.Interval{From: storetest.At(0, 0), To: storetest.At(10, 0)}, Source: "price list"}
	open := rate
	open.ID, open.Valid, open.Hourly = ledger.NewID("rate", "2"),
		period.Interval{From: storetest.At(10, 0), To: pg.EndOfTime}, money.MustParse("1.3")
	for range 2 {
		if err := s.PublishRates(ctx, imp, []ledger.Rate{rate, open}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Rates(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]ledger.Rate{rate, open}, got,
		cmp.Comparer(func(a, b money.Amount) bool { return a.Cmp(b) == 0 })); diff != "" {
		t.Error("rates (-want +got):\n", diff)
	}
	clash := rate
	clash.ID, clash.Hourly, clash.Valid = ledger.NewID("rate", "3"), money.MustParse("9"),
		period.Interval{From: storetest.At(9, 0), To: storetest.At(11, 0)}
	if err := s.PublishRates(ctx, imp, []ledger.Rate{clash}); err == nil ||
		!strings.Contains(err.Error(), "two prices at once") {
		t.Errorf("a second price gives %v", err)
	}
	e := ledger.InstanceEvent{
		EventID: "e1", Provider: "aws", Account: "111", Region: "us-east-1", InstanceID: "i-a",
		Kind: ledger.EventState, Detail: "terminated", At: storetest.At(4, 20),
	}
	for i, want := range []int64{1, 0} {
		n, err := s.PublishEvents(ctx, imp, []ledger.InstanceEvent{e, e})
		if err != nil || n != want {
			t.Errorf("load %d: %d new events, %v; want %d", i+1, n, err, want)
		}
	}
	w, err := s.World(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]ledger.InstanceEvent{e}, w.Events); diff != "" {
		t.Error("events (-want +got):\n", diff)
	}
}

// Hours without a bill are priced again by a program with other public prices, and only by that.
func TestNewPublicPricesMarkHoursWithoutABill(t *testing.T) {
	s := storetest.SmallLedger(t)
	for i, step := range []struct {
		digest byte
		marks  bool
	}{{1, true}, {1, false}, {2, true}, {2, false}, {1, true}} { // it is unknown which prices an older program used
		storetest.MustExec(t, s, "delete from dirty")
		if err := s.UsePublicPrices(t.Context(), [32]byte{step.digest}); err != nil {
			t.Fatal(err)
		}
		if n := storetest.One[int](t, s,
			"select count(*)::int from dirty where reason = 'price of hours without a bill'"); (n > 0) != step.marks {
			t.Errorf("step %d marked %d days", i, n)
		}
	}
}

func TestImportsAreJournalled(t *testing.T) {
	s := storetest.New(t)
	ctx := t.Context()
	rec := ingest.ImportRecord{
		ID: ledger.NewID("import", "j"), Source: "openmetrics", URI: "file.om",
		Cluster: "c", State: ingest.ImportRunning, StartedAt: storetest.Day0.Time(),
	}
	if err := s.StartImport(ctx, rec); err != nil {
		t.Fatal(err)
	}
	rec.State, rec.FinishedAt, rec.Files, rec.Rejected, rec.Message = ingest.ImportRefused, storetest.At(0, 1).Time(), 1,
		2, "bad"
	rec.RejectedByReason, rec.IgnoredByReason = map[string]int64{"unsorted": 2}, map[string]int64{"go_gc": 7}
	rec.RowsRead, rec.Ignored, rec.Refused, rec.RefusedByReason = 9, 7, 1, map[string]int64{"truncated file": 1}
	rec.Rejections = []ledger.Rejection{
		{File: "file.om\x00", Line: 3, Column: "x", Reason: "unsorted", Detail: "bad \xff byte"},
	}
	for range 2 {
		if err := s.FinishImport(ctx, rec); err != nil {
			t.Fatal(err)
		}
	}
	got := storetest.Dump(t, s,
		"select concat_ws('|', state, message, kind, reason, rows) from imports join import_counts using (tenant_id, "+
			"import_id) where tenant_id = 1 order by kind")
	if want := "refused|bad|ignored|go_gc|7\nrefused|bad|refused|truncated file|1\n" +
		"refused|bad|rejected|unsorted|2"; got != want {
		t.Errorf("journal is %q", got)
	}
	if got := storetest.Dump(t, s,
		"select concat_ws('|', ordinal, file, line, col, detail) from rejections "+
			"where tenant_id = 1"); got != "1|file.om\uFFFD|3|x|bad \uFFFD byte" {
		t.Errorf("rejections are %q", got)
	}
	for wrong, of := range map[string]func(r *ingest.ImportRecord){
		"a row nobody counted":   func(r *ingest.ImportRecord) { r.RowsRead++ },
		"a row counted twice":    func(r *ingest.ImportRecord) { r.Accepted++ },
		"a rejection no row has": func(r *ingest.ImportRecord) { r.Rejected++; r.RowsRead++ },
		"a file among the rows": func(r *ingest.ImportRecord) {
			r.RejectedByReason = map[string]int64{"unsorted": 2, "truncated file": 1}
		},
		"a refusal without reason": func(r *ingest.ImportRecord) { r.Refused++ },
	} {
		for _, spoil := range []bool{true, false} {
			saved := rec
			if spoil {
				of(&saved)
			}
			if err := s.FinishImport(ctx, saved); err != nil {
				t.Fatal(err)
			}
			report, err := s.Verify(ctx, verify.Options{})
			if err != nil || report.Failed() != spoil {
				t.Errorf("%s: %v, failed is %v", wrong, err, report.Failed())
			}
		}
	}
	rec.ID = ledger.NewID("import", "unknown")
	if err := s.FinishImport(ctx, rec); err == nil {
		t.Error("the end of an import that never started is recorded")
	}
}
