package truth

import (
	"math/big"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// LabelBudget is rule 26.6 for one experiment or project: the newest amount that a pod of it names.
type LabelBudget struct {
	Amount  *big.Rat
	created int64
}

// LabelBudgetsOf are the budgets that labels of held pods set, by key and value.
func LabelBudgetsOf(f *fleetsim.Fleet) map[[2]string]LabelBudget {
	out := map[[2]string]LabelBudget{}
	for _, c := range f.Clusters {
		for _, p := range c.World.Pods {
			text := world.FirstLabel(p.Labels, "label_cost_budget_limit")
			if text == "" || len(p.Slots) == 0 {
				continue
			}
			of := [2]string{"experiment", world.FirstLabel(p.Labels, "label_experiment")}
			if of[1] == "" {
				of = [2]string{"project", world.FirstLabel(p.Labels, "label_project")}
			}
			amount := world.Decimal(text)
			old, known := out[of]
			if !known || p.Created > old.created || p.Created == old.created && amount.Cmp(old.Amount) > 0 {
				out[of] = LabelBudget{amount, p.Created}
			}
		}
	}
	return out
}
