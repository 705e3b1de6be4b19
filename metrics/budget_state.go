package metrics

import (
	"context"
	"math/big"
	"slices"
	"strconv"

	"gpuledger/allocation/policy"
	"gpuledger/internal/period"
)

// readRules reads the versions of the policy that hold now.
func readRules(ctx context.Context, from Querier) (policy.Book, error) {
	rules, err := readStoredRules(ctx, from)
	if err != nil {
		return policy.Book{}, err
	}
	return bookOf(rules, nil)
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
