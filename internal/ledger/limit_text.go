package ledger

import (
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// LimitStanding is what a text of a label that limits cost is good for.
type LimitStanding string

// Standings of texts.
const (
	LimitNewest   LimitStanding = "newest"    // of its experiment or project: it counts unless a person's budget does
	LimitEarlier  LimitStanding = "earlier"   // a later one took its place
	LimitNoAmount LimitStanding = "no amount" // not a plain decimal above 0
	LimitNoOwner  LimitStanding = "no owner"  // its workload has neither experiment nor project
)

// LimitStandings lists them.
var LimitStandings = []LimitStanding{LimitNewest, LimitEarlier, LimitNoAmount, LimitNoOwner}

// LimitText is a text of a label that limits cost, with the workloads that carry it: a version of a budget, or a text
// that limits nothing.
type LimitText struct {
	BudgetID  ID  // of key and value; for texts that limit nothing, of the text
	Version   int // from 1; 0: it limits nothing
	Label     LimitLabel
	Standing  LimitStanding
	Key       string // experiment or project; empty if it limits nothing
	Value     string
	Text      string
	Amount    *money.Amount
	Others    []money.Amount // that other workloads name at the same time as the newest version, ascending
	Cluster   string         // of the first workload that carries it
	Workload  string         // its namespace and name
	Workloads int            // root owners, runs and machines that carry it
	From, To  period.Second  // in which they were there
}

// LabelledBudget ends the names of budgets from labels. No other budget may be named so.
const LabelledBudget = " (label)"

// BudgetName is the name of the budget; empty if the text limits nothing.
func (t *LimitText) BudgetName() string {
	if t.Key == "" {
		return ""
	}
	return t.Key + " " + t.Value + LabelledBudget
}
