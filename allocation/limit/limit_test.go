package limit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

var (
	atlas = ledger.Owner{ID: ledger.NewID("owner", "atlas"), Team: "a", Project: "atlas"}
	tune  = ledger.Owner{ID: ledger.NewID("owner", "tune"), Team: "a", Project: "atlas", Experiment: "tune"}
	none  = ledger.Owner{ID: ledger.NewID("owner", "none"), Team: "a"}
)

// pod is a pod of root owner name in hours.
func pod(name, text string, o ledger.Owner, from, to period.Second) ledger.Workload {
	return ledger.Workload{
		Cluster: "c", Namespace: "ns", Kind: "Deployment", OwnerName: name, OwnerID: o.ID, BudgetText: text,
		Appeared: from * 3600, Hold: period.Interval{From: from * 3600, To: to * 3600},
	}
}

// lines prints texts as "key value version standing amount others workload n from-to".
func lines(w World) string {
	w.Owners = []ledger.Owner{atlas, tune, none}
	var out []string
	for _, t := range Texts(w) {
		out = append(out, fmt.Sprint(t.Key, " ", t.Value, " ", t.Version, " ", t.Standing, " ", t.Text, " ", t.Others, " ",
			t.Workload, " ", t.Workloads, " ", int64(t.From)/3600, "-", int64(t.To)/3600))
	}
	return strings.Join(out, "\n")
}

func TestTextsOfLabels(t *testing.T) {
	for name, c := range map[string]struct {
		w    []ledger.Workload
		want []string
	}{
		"an experiment goes before its project": {
			[]ledger.Workload{pod("x", "100", tune, 1, 2), pod("y", "500", atlas, 1, 2)},
			[]string{"experiment tune 1 newest 100 [] ns/x 1 1-2", "project atlas 1 newest 500 [] ns/y 1 1-2"},
		},
		"the newest workload counts": {
			[]ledger.Workload{pod("x", "100", atlas, 1, 2), pod("x", "100.0", atlas, 2, 3), pod("y", "200", atlas, 5, 9),
				pod("x", "100", atlas, 6, 7)},
			[]string{
				"project atlas 1 earlier 100 [] ns/x 1 1-3", "project atlas 2 earlier 200 [] ns/y 1 5-9",
				"project atlas 3 newest 100 [] ns/x 1 6-7",
			},
		},
		"two that disagree at once are said": {
			[]ledger.Workload{pod("x", "100", atlas, 1, 9), pod("y", "200", atlas, 5, 9), pod("z", "300", atlas, 2, 8)},
			[]string{
				"project atlas 1 earlier 100 [] ns/x 1 1-9", "project atlas 2 earlier 300 [] ns/z 1 2-8",
				"project atlas 3 newest 200 [100 300] ns/y 1 5-9",
			},
		},
		"a rollout is no disagreement": {
			[]ledger.Workload{pod("x", "100", atlas, 1, 6), pod("x", "200", atlas, 5, 9)},
			[]string{"project atlas 1 earlier 100 [] ns/x 1 1-6", "project atlas 2 newest 200 [] ns/x 1 5-9"},
		},
		"of one second, the largest": {
			[]ledger.Workload{pod("x", "200", atlas, 1, 1), pod("y", "30", atlas, 1, 1)},
			[]string{"project atlas 1 earlier 30 [] ns/y 1 1-1", "project atlas 2 newest 200 [] ns/x 1 1-1"},
		},
		"nothing is dropped": {
			[]ledger.Workload{pod("x", "200", none, 1, 2), pod("y", "200", none, 3, 4), pod("z", "USD 200", atlas, 3, 4),
				pod("z", "0", none, 3, 4), pod("q", "", atlas, 1, 2)},
			[]string{
				"  0 no amount 0 [] ns/z 1 3-4", "  0 no amount USD 200 [] ns/z 1 3-4",
				"  0 no owner 200 [] ns/x 2 1-4",
			},
		},
	} {
		for range 5 {
			rand.Shuffle(len(c.w), func(i, j int) { c.w[i], c.w[j] = c.w[j], c.w[i] })
			if got, want := lines(World{Workloads: c.w}), strings.Join(c.want, "\n"); got != want {
				t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
			}
		}
	}
}

func TestRunsAndMachinesCarryLabels(t *testing.T) {
	w := World{
		Runs: []ledger.Run{
			{ID: "r", Cluster: "c", Name: "r", OwnerID: tune.ID, BudgetText: "7", StartedAt: 3600, EndedAt: 7200},
			{ID: "s", Cluster: "c", Name: "s", OwnerID: tune.ID, LimitText: "9"},
			{ID: "t", Cluster: "c", Name: "t", OwnerID: tune.ID, LimitText: "much", CreatedAt: 3600},
		},
		Nodes: []ledger.Node{{
			Name: "n", OwnerID: atlas.ID, Tags: map[string]string{"user_cost_budget_limit": "50"},
			Life: period.Interval{From: 3600, To: 7200},
		}},
	}
	want := "experiment tune 1 newest 7 [] r 1 1-2\nproject atlas 1 newest 50 [] n 1 1-2\n  0 no amount much [] t 1 1-1"
	if got := lines(w); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	texts := Texts(World{Owners: []ledger.Owner{tune, atlas}, Runs: w.Runs, Nodes: w.Nodes})
	if name := texts[0].BudgetName(); name != "experiment tune (label)" || texts[2].BudgetName() != "" {
		t.Errorf("%q, %q", name, texts[2].BudgetName())
	}
}
