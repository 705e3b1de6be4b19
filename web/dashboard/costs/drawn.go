package costs

import (
	"math/big"
	"sort"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// stretch is the range of drawn steps, [From, To).
type stretch struct{ From, To int }

// drawn ends the axis at the first and the last step that reach a hundredth of the highest,
// which is two pixels. Fees are posted over whole months, so an axis to the end of the month
// would mostly show days with only fees. The table below has all steps.
func (c *cube) drawn(steps []period.Second) stretch {
	cost := make([]money.Amount, len(steps))
	for _, r := range c.Rows {
		if i := stepOf(steps, r.Step); i >= 0 && r.Cost != nil {
			cost[i] = cost[i].Add(*r.Cost)
		}
	}
	var highest money.Amount
	for i, a := range cost {
		if a.Sign() < 0 {
			cost[i] = a.Neg()
		}
		if cost[i].Cmp(highest) > 0 {
			highest = cost[i]
		}
	}
	least := new(big.Rat).Mul(highest.Rat(), big.NewRat(1, 100))
	d := stretch{0, len(steps)}
	for d.From < d.To && cost[d.From].Rat().Cmp(least) < 0 {
		d.From++
	}
	for d.To > d.From && cost[d.To-1].Rat().Cmp(least) < 0 {
		d.To--
	}
	return d
}

// course ends the lines where the data ends: fees that are posted later have no course.
func (c *cube) course(steps []period.Second, e metrics.Extent) stretch {
	d := c.drawn(steps)
	if n := sort.Search(len(steps), func(i int) bool { return steps[i] >= e.Data }); n > d.From {
		d.To = min(d.To, n)
	}
	return d
}

// stepOf is the index of the step of a time, or -1 before the first.
func stepOf(steps []period.Second, at period.Second) int {
	return sort.Search(len(steps), func(i int) bool { return steps[i] > at }) - 1
}
