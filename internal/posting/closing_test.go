package posting_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/closing"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/verify"
	"gpuledger/metrics"
)

func (w *world) closer() *closing.Closer {
	return &closing.Closer{Store: w.store, Now: func() time.Time { return w.files.To.Add(60 * 24 * time.Hour) }}
}

func (w *world) month() period.Month { return period.MonthName(period.FromTime(w.files.From)) }

func (w *world) closeAll() []*closing.Statement {
	w.t.Helper()
	list, err := w.closer().Close(w.t.Context(), w.month(), "", "finance")
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// mustVerify checks the whole ledger.
func (w *world) mustVerify(when string) {
	w.t.Helper()
	report, err := w.store.Verify(w.t.Context(), verify.Options{FailStale: true})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range report.Checks {
		if c.State != verify.CheckPassed {
			w.t.Errorf("%s: %s: %s\n%s", when, c.Name, c.State, strings.Join(c.Rows, "\n"))
		}
	}
}

// closedText is all rows of closed periods, as text.
func (w *world) closedText() []string {
	w.t.Helper()
	var out []string
	for _, q := range []string{
		"select (to_jsonb(p) - 'delivery_id')::text from parts p where final order by hour, part_id",
		"select to_jsonb(p)::text from postings p where state = 'final' order by hour, posting_id",
		"select to_jsonb(u)::text from usage u join frozen_hours using (tenant_id, node_id, hour) order by hour, usage_id",
		"select billing_account, billing_period, version, encode(digest, 'hex'), encode(chain, 'hex') from statements " +
			"order by number",
	} {
		out = append(out, w.rows(q)...)
	}
	return out
}

func (w *world) sameBytes(list []*closing.Statement) {
	w.t.Helper()
	for _, s := range list {
		k := book.StatementKey{BillingAccount: s.BillingAccount, BillingPeriod: s.BillingPeriod, Version: s.Version}
		var again bytes.Buffer
		written, err := w.store.WriteStatement(w.t.Context(), &again, k)
		if err != nil {
			w.t.Fatal(err)
		}
		stored, err := w.store.StatementDocument(w.t.Context(), k)
		if err != nil {
			w.t.Fatal(err)
		}
		if written.Digest != s.Digest || sha256.Sum256(stored) != s.Digest || !bytes.Equal(stored, again.Bytes()) {
			w.t.Errorf("statement %s: the bytes are not those that were closed", s.Name())
		}
	}
}

// mustBeRestated compares the postings of every charge of the period with its current delivery.
func (w *world) mustBeRestated() {
	w.t.Helper()
	wrong := w.rows(`with posted as (
		select charge_id, sum(effective_cost) as e, sum(billed_cost) as b, sum(list_cost) as l, sum(contracted_cost) as c
		from postings where charge_id is not null group by charge_id
	), book as (
		select charge_id, sum(effective_cost) as e, sum(billed_cost) as b, sum(list_cost) as l, sum(contracted_cost) as c
		from charges where delivery_state = 'current' and kind <> 'split' group by charge_id
	)
	select charge_id, p.e, k.e, p.b, k.b from posted p full join book k using (charge_id)
	where (k.e, k.b, k.l, k.c) is distinct from (p.e, p.b, p.l, p.c)
	  and not (k.charge_id is null and coalesce(p.e, 0) = 0 and coalesce(p.b, 0) = 0 and coalesce(p.l, 0) = 0
	    and coalesce(p.c, 0) = 0)`)
	if len(wrong) > 0 {
		w.t.Errorf("%d charges are not posted as they were restated, first %s", len(wrong), wrong[0])
	}
}

// TestB01AReissuedFileAfterTheClose: closed rows and bytes stay, the difference is posted as an adjustment in the
// open period, and both add up to the restated bill.
func TestB01AReissuedFileAfterTheClose(t *testing.T) {
	t.Parallel()
	cfg := twoDays(11)
	cfg.Restate = true
	w := simulate(t, cfg)
	at := func(day int) *period.Second {
		s := period.FromTime(w.files.To) + period.Second(day*period.Day)
		return &s
	}
	w.load("openmetrics", w.files.Telemetry...)
	w.load("spot-events", w.files.Events...)
	w.load("price-book", w.files.PriceBook)
	w.loadDelivered(at(1), w.files.AWSFirst...)
	w.allocate()
	w.mustVerify("before the close")
	list := w.closeAll()
	if len(list) != 1 || list[0].Lines < 100 {
		t.Fatalf("closed %v", list)
	}
	w.sameBytes(list)
	before := w.closedText()
	if sum := w.allocate(); sum.Recut != 0 { // hours after the bill's last line are covered now
		t.Errorf("closing cuts no delivery again, yet %+v", sum)
	}
	w.mustVerify("after the close")
	if sum := w.allocate(); sum.Chunks != 0 || sum.Recut != 0 {
		t.Errorf("nothing changed since the close, yet %+v", sum)
	}

	w.loadDelivered(at(2), w.files.AWSCUR...)
	w.mustOnlyWait()
	w.allocate()
	w.mustVerify("after the restatement")
	if diff := cmp.Diff(before, w.closedText()); diff != "" {
		t.Errorf("closed rows changed:\n%s", diff[:min(len(diff), 3000)])
	}
	w.sameBytes(list)
	w.mustBeRestated()
	got := w.rows(`select kind, billing_period > $$` + string(w.month()) + `$$ as later, state, count(*) > 0, count(*) filter (where adjusts is null) > 0, count(gpu_hours)
		from postings where state <> 'final' and state <> 'provisional' and charge_id is not null group by 1, 2, 3 order by 1, 2`)
	t.Log(got, fmt.Sprint(len(before)))
	if len(got) == 0 || !slices.ContainsFunc(got, func(s string) bool {
		return strings.HasPrefix(s, "(adjustment,t,open,t,")
	}) {
		t.Errorf("adjustments are %v", got)
	}
	if sum := w.allocate(); sum.Chunks != 0 || sum.Recut != 0 {
		t.Errorf("nothing changed, yet %+v", sum)
	}
}

// TestAClosedMonthHasNoProvisionalCost (rule 8.13): hours after the bill's last line carry a provisional cost until
// their month is closed, and again once it is reopened. That cost does not block closing, and changes no statement.
func TestAClosedMonthHasNoProvisionalCost(t *testing.T) {
	t.Parallel()
	w := simulate(t, twoDays(11))
	w.loadAll()
	w.allocate()
	provisional := func() string {
		return w.rows(`select count(*) from parts p join nodes n using (tenant_id, node_id)
			where p.kind = 'provisional' and p.effective_cost is not null and n.account is not null`)[0]
	}
	hours := func() []string {
		return w.rows("select sum(gpu_hours), sum(capacity_gpu_hours), sum(active_gpu_hours), sum(energy_kwh) from postings")
	}
	open, cost, quantities := w.ledgerText(), provisional(), hours()
	if cost == "(0)" {
		t.Fatal("no hour after the bill's last line has a provisional cost")
	}
	list := w.closeAll()
	closed := w.closedText()
	if got := provisional(); got != cost {
		t.Errorf("closing itself changed the hours with a provisional cost from %s to %s", cost, got)
	}
	w.allocate()
	if got := provisional(); got != "(0)" {
		t.Errorf("the closed month has %s hours with a provisional cost", got)
	}
	if diff := cmp.Diff(quantities, hours()); diff != "" {
		t.Errorf("quantities went with the provisional cost:\n%s", diff)
	}
	w.mustVerify("after the close")
	if diff := cmp.Diff(closed, w.closedText()); diff != "" {
		t.Errorf("closed rows changed:\n%s", diff[:min(len(diff), 3000)])
	}
	w.sameBytes(list)
	if _, err := w.closer().Reopen(t.Context(), w.month(), "", "the bill was not complete", "finance"); err != nil {
		t.Fatal(err)
	}
	w.allocate()
	w.mustVerify("after reopening")
	if got := provisional(); got != cost {
		t.Errorf("the reopened month has %s hours with a provisional cost, %s before the close", got, cost)
	}
	if diff := cmp.Diff(open, w.ledgerText()); diff != "" {
		t.Errorf("a ledger that was closed and reopened differs:\n%s", diff[:min(len(diff), 3000)])
	}
}

// TestB09LateTelemetryForAClosedPeriod: nothing closed changes, and the hours are counted.
func TestB09LateTelemetryForAClosedPeriod(t *testing.T) {
	t.Parallel()
	w := simulate(t, twoDays(12))
	half := len(w.files.Telemetry) / 2
	w.load("openmetrics", w.files.Telemetry[:half]...)
	w.load("spot-events", w.files.Events...)
	w.load("price-book", w.files.PriceBook)
	w.load("aws-cur", w.files.AWSCUR...)
	w.allocate()
	list := w.closeAll()
	before := w.closedText()
	w.load("openmetrics", w.files.Telemetry[half:]...)
	sum := w.allocate()
	if diff := cmp.Diff(before, w.closedText()); diff != "" {
		t.Errorf("closed rows changed:\n%s", diff[:min(len(diff), 3000)])
	}
	w.sameBytes(list)
	w.mustVerify("after late telemetry")
	w.mustBeRestated()
	late := w.rows("select count(*) filter (where late_rows > 0), count(*) from frozen_hours")
	t.Log(late, sum.Diagnostics["late_telemetry"])
	if sum.Diagnostics["late_telemetry"] == 0 || strings.HasPrefix(late[0], "(0,") {
		t.Errorf("late hours are not counted: %v, %v", late, sum.Diagnostics)
	}
}

// TestB06ReopeningKeepsBothStatements: it needs a reason, both digests are kept,
// adjustments go back into the period, and it can be closed again.
func TestB06ReopeningKeepsBothStatements(t *testing.T) {
	t.Parallel()
	cfg := twoDays(13)
	cfg.Restate = true
	w, fresh := simulate(t, cfg), (*world)(nil)
	fresh = w.separate()
	at := func(day int) *period.Second {
		s := period.FromTime(w.files.To) + period.Second(day*period.Day)
		return &s
	}
	load := func(w *world, between func()) {
		w.load("openmetrics", w.files.Telemetry...)
		w.load("spot-events", w.files.Events...)
		w.load("price-book", w.files.PriceBook)
		w.loadDelivered(at(1), w.files.AWSFirst...)
		w.allocate()
		between()
		w.loadDelivered(at(2), w.files.AWSCUR...)
		w.allocate()
	}
	var first []*closing.Statement
	load(w, func() { first = w.closeAll() })
	load(fresh, func() {})
	var refused *closing.RefusedError
	if _, err := w.closer().Reopen(t.Context(), w.month(), "", " ", "finance"); !errors.As(err, &refused) ||
		!strings.Contains(err.Error(), "--reason") {
		t.Fatalf("reopened without a reason: %v", err)
	}
	if _, err := w.closer().Close(t.Context(), w.month(), first[0].BillingAccount, "finance"); !errors.As(err, &refused) ||
		!strings.Contains(err.Error(), "closed already") {
		t.Fatalf("closed twice: %v", err)
	}
	list, err := w.closer().Reopen(t.Context(), w.month(), "", "the refund belongs here", "finance")
	if err != nil || len(list) != 1 || list[0].Digest != first[0].Digest {
		t.Fatal(list, err)
	}
	w.allocate()
	w.mustVerify("after reopening")
	ignore := func(w *world) []string {
		var out []string
		for _, q := range []string{
			"select (to_jsonb(p) - 'generation')::text from parts p order by hour, part_id",
			"select (to_jsonb(u) - 'generation')::text from usage u order by hour, usage_id",
			"select (to_jsonb(p) - 'generation')::text from postings p order by hour, posting_id",
			"select node_id, day, digest from chunks where usage_rows + posting_rows > 0 order by node_id, day",
		} {
			out = append(out, w.rows(q)...)
		}
		return out
	}
	if diff := cmp.Diff(ignore(fresh), ignore(w)); diff != "" {
		t.Errorf("a ledger that was closed and reopened differs from one that never was:\n%s", diff[:min(len(diff), 3000)])
	}
	again := w.closeAll()
	if len(again) != 1 || again[0].Version != 2 || again[0].Digest == first[0].Digest ||
		!bytes.Equal(again[0].Previous, first[0].Chain) {
		t.Errorf("the second statement is %+v", again)
	}
	w.allocate()
	w.mustVerify("after the second close")
	w.sameBytes(first)
	w.sameBytes(again)
	if got := w.rows("select action, actor, subject from audit_log order by number"); len(got) != 5 {
		t.Errorf("audit log: %v", got)
	}
	if rows := w.figures("statement_diff", metrics.Options{}); len(rows) == 0 {
		t.Error("no difference between the statements")
	}
}

// TestB02CorrectionsAndCreditsOfALaterBill are posted in their own period, over the frozen usage of the hours that
// they correct.
func TestB02CorrectionsAndCreditsOfALaterBill(t *testing.T) {
	t.Parallel()
	w := simulate(t, twoDays(14))
	w.loadAll()
	w.allocate()
	list := w.closeAll()
	before := w.closedText()

	held := map[string]bool{} // charges of held hours
	for _, row := range w.rows("select replace(charge_id::text, '-', '') from postings where state = 'final' and " +
		"usage_id is not null and workload_id is not null group by charge_id") {
		held[strings.Trim(row, "()")] = true
	}
	var about []ledger.Charge
	deliveries, err := w.store.BookDeliveries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range deliveries {
		for ch, err := range w.store.ScanCharges(t.Context(), d.ID) {
			if err != nil {
				t.Fatal(err)
			}
			if ch.Kind == ledger.LineUsage && ch.InstanceHours && ch.InstanceSeconds != nil &&
				ch.Period.Seconds() == period.Hour && len(about) < 30 && held[ch.ID.String()] {
				about = append(about, *ch)
			}
		}
	}
	if len(about) < 10 {
		t.Fatalf("%d lines are about held hours", len(about))
	}
	next := period.MonthName(period.FromTime(w.files.To) + 40*period.Day)
	d := ledger.Delivery{ID: ledger.NewID("delivery", "corrections"), Source: "aws-cur", Export: "corrections",
		Scope: about[0].BillingAccount, Dataset: "CUR 2.0", Partition: string(next),
		Kind: ledger.Snapshot, Rank: 3, Rows: int64(len(about)), Columns: []string{"cost"},
		Files: []ledger.DeliveryFile{{Name: "c.csv", Rows: int64(len(about))}}, Digest: sha256.Sum256([]byte("corrections"))}
	totals := map[[2]string]ledger.ControlTotal{}
	for i := range about {
		ch := &about[i]
		minus := money.MustParse("-0.100000000007")
		ch.ID, ch.BillingPeriod, ch.Line, ch.SourceFile, ch.InstanceSeconds, ch.Costs = ledger.NewID("charge", "correction",
			fmt.Sprint(i)), next, int64(i+1), "c.csv", nil, ledger.Costs{Billed: &minus, Effective: &minus}
		switch i % 3 {
		case 0:
			ch.Class = "Correction"
		case 1:
			ch.Kind, ch.Category, ch.LineItemType = ledger.LineDiscount, ledger.CategoryCredit, "Credit"
		case 2:
			ch.Kind, ch.Category, ch.LineItemType = ledger.LineDiscount, ledger.CategoryCredit, "Refund"
		}
		for _, m := range []ledger.Metric{ledger.BilledCost, ledger.EffectiveCost} {
			k := [2]string{ch.Account, string(m)}
			sum := totals[k]
			totals[k] = ledger.ControlTotal{
				Account: ch.Account, BillingPeriod: next, Currency: ch.Currency, Metric: m,
				SourceTotal: sum.SourceTotal.Add(minus), Charges: sum.Charges + 1,
			}
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(totals),
		func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		d.Totals = append(d.Totals, totals[k])
	}
	stage, err := w.store.StageCharges(t.Context(), ledger.NewID("import", "corrections"))
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Write(t.Context(), 0, about); err != nil {
		t.Fatal(err)
	}
	if _, err := stage.Publish(t.Context(), []ledger.Delivery{d}); err != nil {
		t.Fatal(err)
	}
	w.allocate()
	w.mustVerify("after the corrections")
	w.sameBytes(list)
	if diff := cmp.Diff(before, w.closedText()); diff != "" {
		t.Errorf("closed rows changed:\n%s", diff[:min(len(diff), 3000)])
	}
	w.mustBeRestated()
	got := w.rows(`select count(*), count(distinct charge_id), trim_scale(sum(billed_cost))::text, bool_and(kind = 'direct' and state = 'open' and billing_period = '` + string(next) + `' and gpu_hours is null),
		bool_and(exists (select from postings f where f.state = 'final' and f.usage_id = p.usage_id and f.owner_id = p.owner_id and f.cause = p.cause)), count(workload_id) > 0
		from postings p join (select distinct charge_id from parts where delivery_id = '` + d.ID.String() + `') b using (charge_id)`)
	want := fmt.Sprintf(",%d,-%s,t,t,t)", len(about),
		money.MustParse("0.100000000007").MulRat(big.NewRat(int64(len(about)), 1)))
	if len(got) != 1 || !strings.HasSuffix(got[0], want) {
		t.Errorf("corrections are posted as %v, want %s", got, want)
	}
}
