package pricebook

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// The control totals are computed here from the texts of the book, with separate rationals and
// a separate largest remainder, per month and not per line, so that a fault in the lines shows
// as a difference. Only dates are shared.

var errNoText = errors.New("a figure of the book is not a decimal")

// figure is a text of the book as a rational; absent is its value if it is missing.
func (e *Owned) figure(key string, absent int64) (*big.Rat, error) {
	text := e.raw[key]
	if text == "" {
		return big.NewRat(absent, 1), nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, fmt.Errorf("%s %q: %w", key, text, errNoText)
	}
	return r, nil
}

var unit = new(big.Int).Exp(big.NewInt(10), big.NewInt(12), nil) // of 1e-12 in 1

// rounded is a rational in units of 1e-12, half up.
func rounded(r *big.Rat) *big.Int {
	n := new(big.Int).Mul(r.Num(), unit)
	n.Add(n.Lsh(n, 1), r.Denom())
	return n.Div(n, new(big.Int).Lsh(r.Denom(), 1))
}

// apportion gives each weight its floor, and the remainder, unit by unit, to the weights that
// lost most; of equals, the first comes first.
func apportion(units *big.Int, weights []*big.Rat) []*big.Int {
	all := new(big.Rat)
	for _, w := range weights {
		all.Add(all, w)
	}
	out := make([]*big.Int, len(weights))
	lost := make([]*big.Rat, len(weights))
	order := make([]int, len(weights))
	left := new(big.Int).Set(units)
	for i, w := range weights {
		exact := new(big.Rat)
		if all.Sign() > 0 {
			exact.Quo(w, all)
			exact.Mul(exact, new(big.Rat).SetInt(units))
		}
		out[i] = new(big.Int).Div(exact.Num(), exact.Denom())
		lost[i] = exact.Sub(exact, new(big.Rat).SetInt(out[i]))
		left.Sub(left, out[i])
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return lost[order[a]].Cmp(lost[order[b]]) > 0 })
	for i := int64(0); i < left.Int64(); i++ {
		out[order[i%int64(len(order))]].Add(out[order[i%int64(len(order))]], big.NewInt(1))
	}
	return out
}

// inMonth is the part of an amount over a span that belongs to the entry's service within a
// month.
func (e *Owned) inMonth(units *big.Int, span, month period.Interval) *big.Int {
	sum := new(big.Int)
	want := e.Service.Intersect(month)
	if !span.Overlaps(want) {
		return sum
	}
	var ends []period.Second
	var weights []*big.Rat
	for from := span.From; from < span.To; {
		to := min((from/period.Hour+1)*period.Hour, span.To)
		ends, weights = append(ends, to), append(weights, big.NewRat(int64(to-from), 1))
		from = to
	}
	for i, share := range apportion(units, weights) {
		to, length := ends[i], weights[i].Num().Int64()
		served := int64(min(to, want.To) - max(to-period.Second(length), want.From))
		switch {
		case served <= 0:
		case served == length:
			sum.Add(sum, share)
		default: // in service for a part of the hour: half up
			part := new(big.Rat).SetFrac(new(big.Int).Mul(share, big.NewInt(served)), new(big.Int).Mul(big.NewInt(length), unit))
			sum.Add(sum, rounded(part))
		}
	}
	return sum
}

// written is the depreciation in each month of life, in units: by year by the method's formula,
// and evenly within the year.
func (e *Owned) written() ([]*big.Int, error) {
	price, err := e.figure("purchase_price", 0)
	if err != nil {
		return nil, err
	}
	residual, err := e.figure("residual_value", 0)
	if err != nil {
		return nil, err
	}
	rate, err := e.figure("declining_rate", 0)
	if err != nil {
		return nil, err
	}
	open := new(big.Rat).Sub(price, residual)
	if e.Method == Units {
		var weights []*big.Rat
		for left, n := e.LifeHours*period.Hour, 0; left > 0; n++ {
			seconds := min(left, e.month(n).Seconds())
			weights = append(weights, big.NewRat(seconds, 1))
			left -= seconds
		}
		return apportion(rounded(open), weights), nil
	}
	var weights, months []*big.Rat
	worth := new(big.Rat).Set(price)
	for left := e.LifeMonths; left > 0; {
		n := big.NewRat(min(12, left), 1)
		switch e.Method {
		case SumOfYears:
			weights = append(weights, new(big.Rat).Mul(n, big.NewRat((left+11)/12, 1)))
		case DecliningBalance:
			still := new(big.Rat).Sub(worth, residual)
			w := new(big.Rat).Mul(new(big.Rat).Quo(n, big.NewRat(12, 1)), new(big.Rat).Mul(rate, worth))
			if evenly := new(big.Rat).Quo(new(big.Rat).Mul(still, n), big.NewRat(left, 1)); evenly.Cmp(w) > 0 {
				w = evenly
			}
			if w.Cmp(still) > 0 {
				w = still
			}
			weights = append(weights, w)
			worth.Sub(worth, w)
		default:
			weights = append(weights, n)
		}
		months = append(months, n)
		left -= n.Num().Int64()
	}
	var out []*big.Int
	for y, units := range apportion(rounded(open), weights) {
		out = append(out, evenly(units, months[y].Num().Int64())...)
	}
	return out, nil
}

// evenly is apportion over n equal weights.
func evenly(units *big.Int, n int64) []*big.Int {
	low, more := new(big.Int).QuoRem(units, big.NewInt(n), new(big.Int))
	out := make([]*big.Int, n)
	for i := range out {
		out[i] = new(big.Int).Set(low)
		if int64(i) < more.Int64() {
			out[i].Add(low, big.NewInt(1))
		}
	}
	return out
}

// fixedTotal is the cost of all machines of an entry in a month, without power.
func (e *Owned) fixedTotal(month period.Interval) (*big.Int, error) {
	each, sum := new(big.Int), new(big.Int)
	life, err := e.written()
	if err != nil {
		return nil, err
	}
	if e.Method == NoDepreciation {
		life = nil
	}
	price, err := e.figure("purchase_price", 0)
	if err != nil {
		return nil, err
	}
	worth := rounded(price)
	rate, err := e.figure("opportunity_rate", 0)
	if err != nil {
		return nil, err
	}
	for n := 0; e.month(n).From < month.To; n++ {
		span := e.month(n)
		if rate.Sign() > 0 && span.Overlaps(month) {
			interest := new(big.Rat).SetFrac(worth, unit)
			interest.Mul(interest, rate).Quo(interest, big.NewRat(12, 1))
			each.Add(each, e.inMonth(rounded(interest), span, month))
		}
		if n < len(life) {
			worth = new(big.Int).Sub(worth, life[n])
			if e.Method == Units {
				span.To = min(span.To, e.InService+period.Second(e.LifeHours*period.Hour))
			}
			each.Add(each, e.inMonth(life[n], span, month))
		}
	}
	machines := int64(len(e.Machines))
	sum.Mul(each, big.NewInt(machines))
	for key, c := range map[string]*Cost{
		"colocation_monthly": e.Colocation, "staff_monthly": e.Staff, "support_annual": e.Support,
	} {
		if c == nil {
			continue
		}
		amount, err := e.figure(key, 0)
		if err != nil {
			return nil, err
		}
		share, err := e.figure(key+".share", 1)
		if err != nil {
			return nil, err
		}
		units := rounded(amount.Mul(amount, share))
		// A total gives some machines one unit more: count both groups.
		sorts := []struct {
			units    *big.Int
			machines int64
		}{{units, machines}}
		if c.Total {
			low, more := new(big.Int).QuoRem(units, big.NewInt(machines), new(big.Int))
			high := new(big.Int).Add(low, big.NewInt(1))
			sorts[0].units, sorts[0].machines = low, machines-more.Int64()
			sorts = append(sorts, struct {
				units    *big.Int
				machines int64
			}{high, more.Int64()})
		}
		for _, of := range sorts {
			monthly := of.units
			if key == "support_annual" {
				low, more := new(big.Int).QuoRem(of.units, big.NewInt(12), new(big.Int))
				if monthly = low; int64(month.From.Time().Month()-time.January) < more.Int64() {
					monthly = new(big.Int).Add(low, big.NewInt(1))
				}
			}
			sum.Add(sum, new(big.Int).Mul(e.inMonth(monthly, month, month), big.NewInt(of.machines)))
		}
	}
	return sum, nil
}

// powerTotal is the cost of the energy of all machines of an entry in a month. Each hour is
// rounded separately.
func (e *Owned) powerTotal(
	month period.Interval, joules map[string]map[period.Second]ledger.MeasuredEnergy,
) (*big.Int, error) {
	sum := new(big.Int)
	if e.Power == nil {
		return sum, nil
	}
	var figures [3]*big.Rat
	for i, key := range []string{"power.draw", "power.host", "power.pue"} {
		f, err := e.figure(key, []int64{0, 0, 1}[i])
		if err != nil {
			return nil, err
		}
		figures[i] = f
	}
	prices := make([]*big.Rat, len(e.Power.Tariff))
	for i, t := range e.Power.Tariff {
		var ok bool
		if prices[i], ok = new(big.Rat).SetString(t.raw); !ok {
			return nil, fmt.Errorf("tariff %q: %w", t.raw, errNoText)
		}
	}
	served := e.Service.Intersect(month)
	of := func(measured map[period.Second]ledger.MeasuredEnergy) *big.Int {
		all := new(big.Int)
		for from := served.From; from < served.To; {
			hour := from / period.Hour * period.Hour
			to := min(hour+period.Hour, served.To)
			kw := figures[0]
			if j := measured[hour]; e.Power.Measured && j.DeviceSeconds > 0 {
				length := int64(to - from)
				part := big.NewRat(j.DeviceSeconds, e.GPUs*length) // of the machine and the hour
				if part.Cmp(big.NewRat(1, 1)) > 0 {
					part.SetInt64(1)
				}
				mean := new(big.Rat).Sub(figures[1], figures[0])
				mean.Mul(mean, part).Add(mean, figures[0])
				kw = mean.Add(mean, big.NewRat(j.Joules, 1000*length))
			}
			cost := new(big.Rat)
			for i := range prices { // each second at its own price
				start := max(from, e.Power.Tariff[i].From)
				end := to
				if i+1 < len(prices) {
					end = min(end, e.Power.Tariff[i+1].From)
				}
				if start < end {
					cost.Add(cost, new(big.Rat).Mul(prices[i], big.NewRat(int64(end-start), 3600)))
				}
			}
			all.Add(all, rounded(cost.Mul(cost, kw).Mul(cost, figures[2])))
			from = to
		}
		return all
	}
	if !e.Power.Measured {
		return sum.Mul(of(nil), big.NewInt(int64(len(e.Machines)))), nil
	}
	for _, m := range e.Machines {
		sum.Add(sum, of(joules[m.InstanceID+" "+strconv.Itoa(e.line)]))
	}
	return sum, nil
}

// control adds up the month.
func (s *Slot) control() ([]ledger.ControlTotal, error) {
	type key struct{ account, currency string }
	sums, rows := map[key]*big.Int{}, map[key]int64{}
	for _, e := range s.Book.Owned {
		served := e.Service.Intersect(s.span)
		if served.Empty() {
			continue
		}
		fixed, err := e.fixedTotal(s.span)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", s.Book.File, e.line, err)
		}
		energy, err := e.powerTotal(s.span, s.joules)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", s.Book.File, e.line, err)
		}
		k := key{e.Account, e.Currency}
		if sums[k] == nil {
			sums[k] = new(big.Int)
		}
		sums[k].Add(sums[k], fixed).Add(sums[k], energy)
		hours := (served.To-1)/period.Hour - served.From/period.Hour + 1
		rows[k] += int64(hours) * int64(len(e.Machines))
	}
	var out []ledger.ControlTotal
	for k, sum := range sums {
		for _, m := range []ledger.Metric{ledger.BilledCost, ledger.ContractedCost, ledger.EffectiveCost} {
			out = append(out, ledger.ControlTotal{Account: k.account, BillingPeriod: s.Month, Currency: k.currency, Metric: m,
				SourceTotal: money.FromBigUnits(sum), Charges: rows[k]})
		}
	}
	slices.SortFunc(out, compareTotals)
	return out, nil
}
