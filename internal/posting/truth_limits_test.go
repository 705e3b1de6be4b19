package posting_test

import (
	"math/big"
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/truth"
)

// labelBudgetsAgree compares the budgets that labels set with the newest label of each experiment and project, and their
// spend with the cost of it.
func labelBudgetsAgree(t *testing.T, w *world, oracle map[[2]string]truth.LabelBudget) {
	t.Helper()
	rows := rowOfEach(t, w.report("budgets", metrics.Options{Filter: "source = label"}), func(r map[string]string) string {
		return r["key"] + " " + r["value"]
	})
	all(t, "budgets of labels", rows, len(oracle))
	if len(oracle) < 3 {
		t.Errorf("%d experiments and projects have a label: the test says little", len(oracle))
	}
	spent := map[string]string{}
	for _, key := range []string{"experiment", "project"} {
		for _, r := range w.report("costs", metrics.Options{GroupBy: key}) {
			spent[key+" "+r[key]+" "+r["currency"]] = r["effective_cost"]
		}
	}
	for of, want := range oracle {
		r, known := rows[of[0]+" "+of[1]]
		if !known {
			t.Errorf("%s %s has a label and no budget", of[0], of[1])
			continue
		}
		exactly(t, "budget of "+of[0]+" "+of[1], r["amount"], want.Amount, 0)
		cost, ok := new(big.Rat).SetString(spent[of[0]+" "+of[1]+" "+r["currency"]])
		if !ok {
			t.Errorf("%s %s has no cost in %q", of[0], of[1], r["currency"])
			continue
		}
		sum, _ := new(big.Rat).SetString(r["actual"])
		provisional, _ := new(big.Rat).SetString(r["provisional"])
		if sum.Add(sum, provisional).Cmp(cost) != 0 {
			t.Errorf("%s %s spent %s of its budget, and costs %s", of[0], of[1], rat(sum), rat(cost))
		}
	}
}
