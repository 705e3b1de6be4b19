package policy

import (
	"fmt"
	"strconv"
	"strings"
)

// Bounds of the steps of budgets.
const (
	mostSteps   = 10
	highestStep = 1000 // %
)

// defaultSteps returns 80, 100 and 120 %.
func defaultSteps() []int64 { return []int64{80, 100, 120} }

// budgetSteps checks a list of steps; none given are the default ones.
func budgetSteps(list []int64) ([]int64, error) {
	if len(list) == 0 {
		return defaultSteps(), nil
	}
	if len(list) > mostSteps {
		return nil, fmt.Errorf("budget_steps: %d steps: at most %d are possible", len(list), mostSteps)
	}
	for i, step := range list {
		if step < 1 || step > highestStep || i > 0 && step <= list[i-1] {
			return nil, fmt.Errorf("budget_steps: %s: write whole percentages from 1 to %d, each above the one before",
				showSteps(list), highestStep)
		}
	}
	return list, nil
}

// showSteps is the list in a document's form.
func showSteps(list []int64) string {
	var steps []string
	for _, s := range list {
		steps = append(steps, strconv.FormatInt(s, 10))
	}
	return "[" + strings.Join(steps, ", ") + "]"
}
