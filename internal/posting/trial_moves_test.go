package posting_test

import (
	"testing"
	"testing/fstest"

	"gpuledger/internal/folder"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/metrics"
)

// What a folder would move between owners is what the ledger says once it is applied; the differences add up to 0.
func TestMovesForetellTheLedger(t *testing.T) {
	t.Parallel()
	w := simulate(t, twoDays(6))
	w.loadAll()
	w.allocate()
	teams := w.costOf("team")
	paying := ""
	for team, cost := range teams {
		if team != "unowned" && (paying == "" || cost.Cmp(teams[paying]) > 0) {
			paying = team
		}
	}
	f, faults, err := folder.Read(fstest.MapFS{
		"mapping.yaml": {Data: []byte("kind: mapping\nname: renamed\nvalues: [{key: team, from: [" + paying +
			"], to: other}]\nowners: [{set: {stage: set-by-rule}}]\n")},
		"policy.yaml": {Data: []byte("kind: policy\nversion: strict\nsettings: {idle: lt5pct-2h-mean}\n")},
	}, folder.Options{})
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
	before := w.ledgerText()
	moves, err := posting.Moves(t.Context(), w.store, &posting.Proposal{Book: plan.Book}, plan.Keys(state), period.Interval{})
	if err != nil {
		t.Fatal(err)
	}
	if after := w.ledgerText(); len(after) != len(before) {
		t.Fatal("it has written to the ledger")
	}
	sums := map[string]money.Amount{}
	then := map[string]metrics.Move{}
	for _, m := range moves.Rows {
		sums[m.Key+" "+m.Currency] = sums[m.Key+" "+m.Currency].Add(m.Difference)
		then[m.Key+"="+m.Value] = m
		if m.After.Sub(m.Before).Cmp(m.Difference) != 0 || m.Difference.IsZero() {
			t.Errorf("%+v", m)
		}
	}
	for key, sum := range sums {
		if !sum.IsZero() {
			t.Errorf("%s: the differences add up to %s", key, sum)
		}
	}
	if from := then["team="+paying]; from.Before.Cmp(teams[paying]) != 0 || !from.After.IsZero() || moves.Days == 0 {
		t.Errorf("%s pays %s, which becomes %s: %+v", paying, teams[paying], from.After, moves)
	}
	if _, err := w.store.Configure(t.Context(), f, "ada", "test"); err != nil {
		t.Fatal(err)
	}
	w.allocate()
	for _, key := range []string{"team", "stage"} {
		costs := w.costOf(key)
		for name, m := range then {
			if m.Key == key && costs[m.Value].Cmp(m.After) != 0 {
				t.Errorf("%s: %s was foretold, the ledger says %s", name, m.After, costs[m.Value])
			}
		}
		if key == "stage" && len(costs) == 0 {
			t.Error("no stages")
		}
	}
}

// costOf is the effective cost of the ledger by a dimension, in the one currency of the simulation.
func (w *world) costOf(key string) map[string]money.Amount {
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
		value := labels[total.Owner][key]
		if value == "" {
			value = "unowned"
		}
		out[value] = out[value].Add(total.Effective)
	}
	return out
}
