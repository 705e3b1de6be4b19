package metrics

import (
	"context"
	"math/big"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// breaksOn is the day on which the spend reaches the amount at the pace so far.
func breaksOn(spent, amount money.Amount, window period.Interval, stored period.Second) Value {
	left := amount.Sub(spent)
	if window.To == 0 || stored >= window.To || stored <= window.From || spent.Sign() <= 0 || left.Sign() <= 0 {
		return Null
	}
	wait := new(big.Rat).Quo(left.Rat(), spent.Rat())
	wait.Mul(wait, big.NewRat(int64(stored-window.From), 1))
	if wait.Cmp(big.NewRat(int64(window.To-stored), 1)) >= 0 {
		return Null
	}
	seconds := new(big.Int).Quo(wait.Num(), wait.Denom())
	return Value{Valid: true, Time: (stored + period.Second(seconds.Int64())).Floor(period.Day).Time()}
}

// Less than these of a period are too little to say how it ends.
const (
	earlyDays  = 7
	earlyShare = 10 // 1 ÷ this of the period
)

// projectedFrom are the days that the end of a period is projected from, and whether they are too few.
func projectedFrom(window period.Interval, stored period.Second) (days, early Value) {
	if window.To == 0 || stored >= window.To || stored <= window.From {
		return Null, Value{Valid: true}
	}
	const day = period.Second(period.Day)
	elapsed := stored - window.From
	return Value{Valid: true, Int: int64((elapsed + day - 1) / day)},
		Value{Valid: true, Bool: elapsed < earlyDays*day || elapsed*earlyShare < period.Second(window.Seconds())}
}

// A life has no end to look to: its pace is that of the last days, and counts for a year. What spent nothing lately has
// none.
const (
	paceDays    = 7
	lately      = period.Second(period.Day)
	paceHorizon = period.Second(365 * period.Day)
)

// pace is the spend of the last days until the end of the stored hours.
type pace struct {
	spent       money.Amount
	since, last period.Second // first and last day with spend
}

// paces are those of budgets without an end, by value of the key.
func (p plan) paces(ctx context.Context, from Source, ask asked) (map[string]pace, error) {
	if ask.window.To != 0 || p.stored == 0 {
		return nil, nil
	}
	ask.window = period.Interval{
		From: max(ask.window.From, (p.stored - paceDays*period.Second(period.Day)).Floor(period.Day)), To: p.stored,
	}
	if ask.window.Empty() { // it begins in the future
		return nil, nil
	}
	days, err := ask.spent(ctx, from, Day)
	if err != nil {
		return nil, err
	}
	out := map[string]pace{}
	for at, s := range days {
		sum := s.actual.Add(s.provisional)
		if sum.IsZero() {
			continue
		}
		of, known := out[at.value]
		if !known || at.day < of.since {
			of.since = at.day
		}
		of.spent, of.last = of.spent.Add(sum), max(of.last, at.day)
		out[at.value] = of
	}
	return out, nil
}

// breaksOn is the day on which the rest of the amount will be spent.
func (p pace) breaksOn(left money.Amount, stored period.Second) Value {
	if left.Sign() <= 0 || p.spent.Sign() <= 0 || p.last < (stored-1).Floor(period.Day)-lately {
		return Null
	}
	wait := new(big.Rat).Quo(left.Rat(), p.spent.Rat())
	wait.Mul(wait, big.NewRat(int64(stored-p.since), 1))
	if wait.Cmp(big.NewRat(int64(paceHorizon), 1)) >= 0 {
		return Null
	}
	seconds := new(big.Int).Quo(wait.Num(), wait.Denom())
	return Value{Valid: true, Time: (stored + period.Second(seconds.Int64())).Floor(period.Day).Time()}
}
