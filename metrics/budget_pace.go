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
	return daysOf(elapsed),
		Value{Valid: true, Bool: elapsed < earlyDays*day || elapsed*earlyShare < period.Second(window.Seconds())}
}

// daysOf counts days, a begun one included.
func daysOf(elapsed period.Second) Value {
	const day = period.Second(period.Day)
	return Value{Valid: true, Int: int64((elapsed + day - 1) / day)}
}

// A life has no end to look to: its pace is that of the last days, and counts for a year. What spent nothing lately has
// none.
const (
	paceDays    = 7
	lately      = period.Second(period.Day)
	paceHorizon = period.Second(365 * period.Day)
	// paceLine is how far a life is projected that does not break within the horizon.
	paceLine = period.Second(28 * period.Day)
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
	return pacesOf(days, ask.window.From), nil
}

// pacesOf are the paces of the days from one on.
func pacesOf(days map[spentAt]spend, from period.Second) map[string]pace {
	out := map[string]pace{}
	for at, s := range days {
		sum := s.actual.Add(s.provisional)
		if sum.IsZero() || at.day < from {
			continue
		}
		of, known := out[at.value]
		if !known || at.day < of.since {
			of.since = at.day
		}
		of.spent, of.last = of.spent.Add(sum), max(of.last, at.day)
		out[at.value] = of
	}
	return out
}

// goesOn reports whether there was spend lately, so that the life has a pace.
func (p pace) goesOn(stored period.Second) bool {
	return p.spent.Sign() > 0 && p.last >= (stored-1).Floor(period.Day)-lately
}

// from are the days that the pace is of, and whether they are too few.
func (p pace) from(stored period.Second) (days, early Value) {
	if !p.goesOn(stored) {
		return Null, Value{Valid: true}
	}
	return daysOf(stored - p.since), Value{Valid: true, Bool: stored-p.since < earlyDays*period.Second(period.Day)}
}

// ahead is what the pace adds to the spend from the last stored hour up to an instant.
func (p pace) ahead(stored, until period.Second) money.Amount {
	return p.spent.MulRat(big.NewRat(int64(until-stored), int64(stored-p.since)))
}

// breaksOn is the day on which the rest of the amount will be spent.
func (p pace) breaksOn(left money.Amount, stored period.Second) Value {
	if left.Sign() <= 0 || !p.goesOn(stored) {
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
