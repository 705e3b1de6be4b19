package posting_test

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"gpuledger/ingest"
	"gpuledger/internal/folder"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/verify"
)

// What owned machines of a folder would cost is what the ledger says once they are stored: new machines under
// telemetry, another issue of their book with another price, without one of them, and without the last hour.
func TestMachinesOfAFolderForetellTheLedger(t *testing.T) {
	t.Parallel()
	w := &world{t: t, dir: t.TempDir()}
	w.fresh()
	if err := os.WriteFile(filepath.Join(w.dir, "telemetry.om"), []byte(bareMetal()), 0o600); err != nil {
		t.Fatal(err)
	}
	im := ingest.Importer{Store: w.store, Now: time.Now}
	if _, err := im.Import(t.Context(), ingest.Request{Source: ingest.SourceAuto, URIs: []string{w.dir}}); err != nil {
		t.Fatal(err)
	}
	w.allocate()
	book := "kind: price_book\n" + strings.Replace(bareBook, "issued_at: 2026-12-01\n", "", 1)
	cheaper := strings.Replace(book, "21600", "10800", 1)
	alone := strings.Replace(cheaper, "[bm-1, bm-2]", "[bm-1]", 1)
	shorter := strings.Replace(alone, "T03:00", "T02:00", 1)
	ruled := shorter + "---\nkind: mapping\nname: renamed\nvalues: [{key: team, from: [nlp], to: other}]\n" +
		"owners: [{set: {stage: ours}}]\n"
	for _, step := range []struct{ name, text string }{
		{"new", book}, {"cheaper", cheaper}, {"one machine", alone}, {"shorter", shorter}, {"with rules", ruled},
		{"longer", strings.Replace(ruled, "T02:00", "T03:00", 1)},
	} {
		f, faults, err := folder.Read(fstest.MapFS{"hall.yaml": {Data: []byte(step.text)}}, folder.Options{})
		if err != nil || len(faults) > 0 {
			t.Fatal(step.name, err, faults)
		}
		state, err := w.store.Configuration(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		plan, faults := folder.Compare(state, f)
		if len(faults) > 0 || !plan.Recomputes() {
			t.Fatal(step.name, faults)
		}
		proposal, err := plan.Proposal(state.At, w.store.Energy(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		before, was := w.costsIn("team"), w.ledgerText()
		moves, err := posting.Moves(t.Context(), w.store, proposal, []string{"team"}, period.Interval{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(w.ledgerText(), was) {
			t.Fatal("it has written to the ledger")
		}
		then := maps.Clone(before)
		for _, m := range moves.Rows {
			at := m.Value + " " + m.Currency
			if m.Before.Cmp(before[at]) != 0 {
				t.Errorf("%s: %+v, the ledger says %s", step.name, m, before[at])
			}
			then[at] = m.After
		}
		if _, err := w.store.Configure(t.Context(), f, "ada", "test"); err != nil {
			t.Fatal(err)
		}
		w.allocate()
		equalCosts(t, step.name, then, w.costsIn("team"))
		report, err := w.store.Verify(t.Context(), verify.Options{FailStale: true})
		if err != nil || report.Failed() {
			t.Errorf("%s: %v %+v", step.name, err, report)
		}
	}
	if costs := w.costsIn("team"); costs["other EUR"].IsZero() {
		t.Errorf("the mapping moved nothing: %v", costs)
	}
}

// costsIn is the effective cost of the ledger by a dimension and currency.
func (w *world) costsIn(key string) map[string]money.Amount {
	w.t.Helper()
	totals, err := w.store.OwnerTotals(w.t.Context(), period.Interval{})
	if err != nil {
		w.t.Fatal(err)
	}
	out := map[string]money.Amount{}
	for _, total := range totals {
		labels, err := w.store.LabelsOf(w.t.Context(), []ledger.ID{total.Owner})
		if err != nil {
			w.t.Fatal(err)
		}
		at := cmp.Or(labels[total.Owner][key], "unowned") + " " + total.Currency
		out[at] = out[at].Add(total.Effective)
	}
	return out
}

// equalCosts compares costs by value; a value without cost is like one of cost 0.
func equalCosts(t *testing.T, what string, want, got map[string]money.Amount) {
	t.Helper()
	for _, value := range slices.Sorted(maps.Keys(want)) {
		if have := got[value]; have.Cmp(want[value]) != 0 {
			t.Errorf("%s: %s was foretold for %s, the ledger says %s", what, want[value], value, have)
		}
	}
	for value, have := range got {
		if _, known := want[value]; !known && !have.IsZero() {
			t.Errorf("%s: %s pays %s, and nothing was foretold", what, value, have)
		}
	}
}

// The trial of a bill reads no line beyond the days of the trial twice, and stored lines of the same content once: the
// stored delivery stays.
func TestAnUnchangedMonthStays(t *testing.T) {
	t.Parallel()
	w := &world{t: t, dir: t.TempDir()}
	w.fresh()
	if err := os.WriteFile(filepath.Join(w.dir, "telemetry.om"), []byte(bareMetal()), 0o600); err != nil {
		t.Fatal(err)
	}
	im := ingest.Importer{Store: w.store, Now: time.Now}
	if _, err := im.Import(t.Context(), ingest.Request{Source: ingest.SourceAuto, URIs: []string{w.dir}}); err != nil {
		t.Fatal(err)
	}
	long := "kind: price_book\n" + strings.NewReplacer("issued_at: 2026-12-01\n", "", "2026-11-02T03:00:00Z",
		"2027-01").Replace(bareBook)
	read := func(text string) (*folder.Folder, *folder.Plan) {
		f, faults, err := folder.Read(fstest.MapFS{"hall.yaml": {Data: []byte(text)}}, folder.Options{})
		if err != nil || len(faults) > 0 {
			t.Fatal(err, faults)
		}
		state, err := w.store.Configuration(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		plan, faults := folder.Compare(state, f)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		return f, plan
	}
	f, _ := read(long)
	if _, err := w.store.Configure(t.Context(), f, "ada", ""); err != nil {
		t.Fatal(err)
	}
	w.allocate()
	_, plan := read(strings.Replace(long, "2027-01", "2027-02", 1))
	proposal, err := plan.Proposal(0, w.store.Energy(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	november := period.MonthOf(period.FromTime(time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)))
	for i := range proposal.Bills[0].Deliveries {
		d := &proposal.Bills[0].Deliveries[i]
		if d.BillingPeriod == "2026-11" {
			d.Charges = func(func(*ledger.Charge, error) bool) { t.Error("an unchanged month is cut again") }
		}
	}
	moves, err := posting.Moves(t.Context(), w.store, proposal, []string{"team"}, november)
	if err != nil || len(moves.Rows) != 0 || moves.Days == 0 {
		t.Errorf("%v %+v", err, moves)
	}
}
