package metrics

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"gpuledger/allocation/policy"
	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// readRules reads the versions of the policy. It reads as an auditor: the steps of budgets and the targets of
// unit costs are the same for all readers, also for those who may not read the dataset policies.
func readRules(ctx context.Context, from Querier) (policy.Book, error) {
	ctx = access.As(ctx, &access.Viewer{Name: "budgets", Role: access.RoleAuditor})
	a, err := ReadAnswer(ctx, from, Query{
		Dataset: &policies, Zone: "UTC", Granularity: Total, Basis: ledger.EffectiveCost,
		Filter: Compare{Key: "status", Op: Equal, Values: []string{"holds"}, Kind: Text},
		Order:  []Order{{Column: "version"}},
	})
	if err != nil {
		return policy.Book{}, err
	}
	var versions []policy.Version
	for _, row := range a.Rows {
		document := row[a.At("document")]
		if !document.Valid { // the standard, which a book has
			continue
		}
		v, err := policy.Parse([]byte(document.Text))
		if err != nil {
			return policy.Book{}, fmt.Errorf("stored policy %s: %w", row[a.At("version")].Text, err)
		}
		versions = append(versions, v)
	}
	return policy.NewBook(versions...)
}

// lastDay is the last stored second of a budget's period, at which the policy is read.
func (p plan) lastDay(window period.Interval) period.Second {
	end := p.stored
	if window.To != 0 {
		end = min(end, window.To)
	}
	return max(end-1, window.From)
}

// stateOf is the highest step, of ascending percentages, that a ratio reached.
func stateOf(ratio *big.Rat, steps []int64) string {
	for _, step := range slices.Backward(steps) {
		if ratio.Cmp(big.NewRat(step, 100)) >= 0 {
			return "at_" + strconv.FormatInt(step, 10)
		}
	}
	return "ok"
}
