package ledger

import (
	"fmt"
	"maps"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// BudgetUnit is what a budget limits.
type BudgetUnit string

// Units of budgets. Tokens are prompt and generated ones.
const (
	BudgetMoney    BudgetUnit = "money"
	BudgetGPUHours BudgetUnit = "gpu_hours"
	BudgetTokens   BudgetUnit = "tokens"
)

// BudgetUnits lists them.
var BudgetUnits = []BudgetUnit{BudgetMoney, BudgetGPUHours, BudgetTokens}

// BudgetPeriod is the length of a budget's period.
type BudgetPeriod string

// Periods of budgets. A life has no end.
const (
	BudgetMonth   BudgetPeriod = "month"
	BudgetQuarter BudgetPeriod = "quarter"
	BudgetYear    BudgetPeriod = "year"
	BudgetLife    BudgetPeriod = "life"
)

// BudgetPeriods lists them with their months; 0: without end.
var BudgetPeriods = []struct {
	Name   BudgetPeriod
	Months int
}{{BudgetMonth, 1}, {BudgetQuarter, 3}, {BudgetYear, 12}, {BudgetLife, 0}}

// BudgetAll is the key of budgets for the whole ledger; their value is empty.
const BudgetAll = "all"

// BudgetKeys are the group keys whose values can have budgets.
var BudgetKeys = []string{
	"business_unit", "team", "project", "model", "model_version", "stage", "environment", "cost_center", "experiment",
	"dataset", "cluster", "namespace", "service", "provider", "account",
}

// Budget is a limit for one value of a group key in one period. Its name identifies it: another amount under the same
// name is the next version.
type Budget struct {
	Name     string
	Key      string // a group key, or BudgetAll
	Value    string
	Period   BudgetPeriod
	Start    period.Second // first day; 0 only for BudgetLife: without start
	End      period.Second // exclusive; set when it is stored, by the fiscal calendar; 0: none
	Amount   money.Amount  // > 0, in Currency, GPU-hours or tokens
	Unit     BudgetUnit
	Currency string // ISO 4217; empty unless Unit is BudgetMoney
	Parent   string // name of the budget that this one is a part of; empty: none
	Reason   string // why this version; may be empty
	Line     int64  // of its file, for refusals
	File     string
}

// Window is the period of a budget; a bound of 0 is open.
func (b *Budget) Window() period.Interval { return period.Interval{From: b.Start, To: b.End} }

// Months is the number of calendar or fiscal months of a period; 0: without end.
func (p BudgetPeriod) Months() int {
	for _, known := range BudgetPeriods {
		if known.Name == p {
			return known.Months
		}
	}
	return 0
}

// Same reports whether two versions of a budget say the same, for whatever reason.
func (b *Budget) Same(o *Budget) bool {
	return b.Name == o.Name && b.Key == o.Key && b.Value == o.Value && b.Period == o.Period && b.Start == o.Start &&
		b.End == o.End && b.Amount.Cmp(o.Amount) == 0 && b.Unit == o.Unit && b.Currency == o.Currency && b.Parent == o.Parent
}

// CheckParents checks the parents of budgets that are to join the current ones, which are named by their keys: each
// parent exists, has the unit and currency of its part, and is not a part of it. A fault is a *FileError that names the
// row.
func CheckParents(current map[string]Budget, joining []Budget) error {
	all := maps.Clone(current)
	for _, b := range joining {
		all[b.Name] = b
	}
	for _, b := range joining {
		fault := func(reason, detail string) error {
			return &FileError{Rejection: Rejection{
				File: b.File, Line: b.Line, Column: "parent", Reason: reason, Detail: detail,
			}}
		}
		seen := map[string]bool{b.Name: true}
		for part := b; part.Parent != ""; {
			parent, known := all[part.Parent]
			switch {
			case !known:
				return fault("unknown parent", fmt.Sprintf("there is no budget %q", part.Parent))
			case parent.Unit != part.Unit || parent.Currency != part.Currency:
				return fault("another unit", fmt.Sprintf("%q is in %s, %q in %s", parent.Name, parent.in(), part.Name, part.in()))
			case seen[parent.Name]:
				return fault("its own parent", fmt.Sprintf("%q is a part of %q", parent.Name, b.Name))
			}
			seen[parent.Name] = true
			part = parent
		}
	}
	return nil
}

// in is the unit of the amount.
func (b *Budget) in() string {
	if b.Unit == BudgetMoney {
		return b.Currency
	}
	return string(b.Unit)
}
