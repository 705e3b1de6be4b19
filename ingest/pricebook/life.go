package pricebook

import (
	"math/big"
	"time"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// lifeMonth is a month of a machine's life, counted from the instant it went into service, with
// its depreciation.
type lifeMonth struct {
	span   period.Interval
	amount money.Amount
}

// addMonths is the same day and time n months later, or the last day of a shorter month.
func addMonths(s period.Second, n int) period.Second {
	t := s.Time()
	first := time.Date(t.Year(), t.Month()+time.Month(n), 1, t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return period.FromTime(first.AddDate(0, 0, min(t.Day(), last)-1))
}

// month is the n-th month of life, from 0.
func (e *Owned) month(n int) period.Interval {
	return period.Interval{From: addMonths(e.InService, n), To: addMonths(e.InService, n+1)}
}

// lifeMonths spreads the purchase price less the residual value over the
// years of life by the method, and each year evenly over its months, both by
// largest remainder, so that they add up to it exactly.
func (e *Owned) lifeMonths() []lifeMonth {
	base := e.Purchase.Sub(e.Residual)
	if e.Method == Units {
		return e.lifeOfHours(base)
	}
	years := e.years()
	out := make([]lifeMonth, 0, e.LifeMonths)
	for y, amount := range split(base, years) {
		for _, a := range split(amount, ones(e.monthsOf(y))) {
			out = append(out, lifeMonth{e.month(len(out)), a})
		}
	}
	return out
}

// lifeOfHours spreads an amount over a life that is counted in hours.
func (e *Owned) lifeOfHours(base money.Amount) []lifeMonth {
	var out []lifeMonth
	var weights []*big.Rat
	end := e.InService + period.Second(e.LifeHours*period.Hour)
	for n := 0; ; n++ {
		span := e.month(n)
		if span.From >= end {
			break
		}
		span.To = min(span.To, end)
		out, weights = append(out, lifeMonth{span: span}), append(weights, big.NewRat(span.Seconds(), 1))
	}
	for i, a := range split(base, weights) {
		out[i].amount = a
	}
	return out
}

// monthsOf is how many months of life the y-th year has, from 0: twelve, except in the last.
func (e *Owned) monthsOf(y int) int { return int(min(12, e.LifeMonths-12*int64(y))) }

// years is the share of each year of life.
func (e *Owned) years() []*big.Rat {
	count := int(e.LifeMonths+11) / 12
	out := make([]*big.Rat, count)
	residual, book := e.Residual.Rat(), e.Purchase.Rat()
	left := e.LifeMonths
	for y := range out {
		months := int64(e.monthsOf(y))
		switch e.Method {
		case SumOfYears: // the remaining years at its start
			out[y] = big.NewRat(int64(count-y)*months, 1)
		case DecliningBalance:
			// The rate of the book value at its start, or an even share of the rest to depreciate,
			// whichever is more.
			open := new(big.Rat).Sub(book, residual)
			out[y] = new(big.Rat).Mul(book, e.Declining)
			out[y].Mul(out[y], big.NewRat(months, 12))
			if even := new(big.Rat).Mul(open, big.NewRat(months, left)); out[y].Cmp(even) < 0 {
				out[y] = even
			}
			if out[y].Cmp(open) > 0 {
				out[y] = open
			}
			book = new(big.Rat).Sub(book, out[y])
		default:
			out[y] = big.NewRat(months, 1)
		}
		left -= months
	}
	return out
}

// split is money.Split by rational weights; all zero means evenly.
func split(a money.Amount, weights []*big.Rat) []money.Amount {
	common := big.NewInt(1)
	any := false
	for _, w := range weights {
		g := new(big.Int).GCD(nil, nil, common, w.Denom())
		common.Mul(common, new(big.Int).Quo(w.Denom(), g))
		any = any || w.Sign() > 0
	}
	whole := make([]*big.Int, len(weights))
	for i, w := range weights {
		whole[i] = big.NewInt(1)
		if any {
			whole[i] = new(big.Int).Mul(w.Num(), new(big.Int).Quo(common, w.Denom()))
		}
	}
	shares, err := money.Split(a, whole)
	if err != nil { // weights are not negative and not all zero
		return make([]money.Amount, len(weights))
	}
	return shares
}

// bookValue is a machine's book value at the start of its n-th month.
func (e *Owned) bookValue(n int) money.Amount {
	value := e.Purchase
	for _, m := range e.life[:min(n, len(e.life))] {
		value = value.Sub(m.amount)
	}
	return value
}
