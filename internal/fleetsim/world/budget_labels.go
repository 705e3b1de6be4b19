package world

// limits are the budgets of experiments, in the currency of their bill; runs of larger fleets cost more.
var limits = map[bool][]string{
	true:  {"1000", "500", "250", "100"},
	false: {"5000", "2500", "1000", "500"},
}

// budgetLabel is the budget that a run names: of two in three experiments, and of project atlas, whose budget finance
// keeps as well. It depends on names alone.
func budgetLabel(size Size, t Team, experiment string) []Label {
	if experiment == "" {
		if t.project != "atlas" {
			return nil
		}
		return []Label{{"label_cost_budget_limit", "20000"}}
	}
	n := 0
	for _, c := range []byte(experiment) {
		n += int(c)
	}
	if n%3 == 0 {
		return nil
	}
	return []Label{{"label_cost_budget_limit", limits[size == Small][n%4]}}
}
