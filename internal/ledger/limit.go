package ledger

import (
	"strings"

	"gpuledger/internal/money"
)

// LimitLabel is a label that limits cost.
type LimitLabel string

// Labels that limit cost.
const (
	LabelBudget   LimitLabel = "cost-budget-limit" // of an experiment or a project
	LabelRunLimit LimitLabel = "max-cost-per-run"  // of one run
)

// Keys are the accepted keys of the label, in folded spelling and in order of preference.
func (l LimitLabel) Keys() []string {
	key := FoldKey(string(l))
	return []string{key, ownPrefix + key}
}

// ParseLimit reads the amount of such a label: a plain decimal above 0. It names no currency.
func ParseLimit(text string) (money.Amount, bool) {
	n, err := money.Parse(text)
	return n, err == nil && !strings.ContainsAny(text, "eE+") && n.Sign() > 0
}
