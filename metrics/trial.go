package metrics

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// TrialRow is one team's cost of one cause: now in the ledger, then under the tried version. A cost is nil if no
// posting has it.
type TrialRow struct {
	Team      string       `json:"team"`
	Cause     ledger.Cause `json:"cause"`
	Currency  string       `json:"currency"`
	Effective TrialCost    `json:"effective_cost"`
	Billed    TrialCost    `json:"billed_cost"`
	GPUHours  TrialCost    `json:"gpu_hours"` // held
}

// TrialCost is an amount before and after.
type TrialCost struct {
	Now        *money.Amount `json:"now"`
	Then       *money.Amount `json:"then"`
	Difference *money.Amount `json:"difference"` // nil if both are
}

// Differ fills in the difference.
func (c *TrialCost) Differ() {
	switch {
	case c.Now != nil && c.Then != nil:
		d := c.Then.Sub(*c.Now)
		c.Difference = &d
	case c.Now != nil:
		d := c.Now.Neg()
		c.Difference = &d
	default:
		c.Difference = c.Then
	}
}

// Moved reports whether anything differs.
func (r *TrialRow) Moved() bool {
	for _, c := range []TrialCost{r.Effective, r.Billed, r.GPUHours} {
		if c.Difference != nil && !c.Difference.IsZero() {
			return true
		}
	}
	return false
}

// Trial is the change in cost per team under a tried policy.
type Trial struct {
	Version string `json:"version"`
	Days    int    `json:"node_days"` // computed
	// Waiting are node-days whose facts changed since they were computed: the policy is not the only reason for their
	// difference.
	Waiting int        `json:"node_days_waiting"`
	Rows    []TrialRow `json:"rows"` // by currency, team, cause in the ledger's order
}

// Move is what one value of an owner dimension pays in effective cost after sharing, under the stored rules and under
// others.
type Move struct {
	Key        string       `json:"key"`
	Value      string       `json:"value"`
	Currency   string       `json:"currency"`
	Before     money.Amount `json:"before"`
	After      money.Amount `json:"after"`
	Difference money.Amount `json:"difference"`
}

// Moves is what other rules would move between owners. For each key and currency the differences add up to 0, unless
// the rules price hours without a bill differently.
type Moves struct {
	From, To period.Second // of the days it looked at; 0: nothing is computed yet
	Days     int           // node-days
	// Waiting are node-days whose facts changed since they were computed: the rules are not the only reason for their
	// difference.
	Waiting int
	Rows    []Move // those that differ
}
