package variance

import (
	"fmt"
	"math/big"
	"slices"

	"gpuledger/internal/money"
)

// Class is a GPU model at a price class, "" where a key is not known.
type Class struct{ Model, Pricing string }

// Cell is what a class cost in a period, and its capacity in GPU-hours.
type Cell struct{ Cost, Hours money.Amount }

// Period is one owner's costs of a period in one currency. Useful are its active GPU-hours.
type Period struct {
	Cells  map[Class]Cell
	Useful money.Amount
}

// Cost is the cost of all classes.
func (p Period) Cost() (sum money.Amount) {
	for _, c := range p.Cells {
		sum = sum.Add(c.Cost)
	}
	return sum
}

// Part is a position in Parts.
type Part int

// Parts of a difference, in the order in which they are shown.
const (
	Volume Part = iota
	Efficiency
	Mix
	Price
	Exchange
	WithoutHours
	partCount
)

// Names of the parts, as columns are called.
var Names = [partCount]string{"volume", "efficiency", "mix", "price", "exchange", "without_hours"}

// Parts are exact amounts of one difference, not rounded. They add up to it.
type Parts [partCount]*big.Rat

// hours are the classes of a period that have capacity hours, and what the others cost.
type hours struct {
	cells         map[Class]Cell
	cost, total   *big.Rat
	useful, apart *big.Rat
}

func (p Period) hours() hours {
	h := hours{
		cells: map[Class]Cell{}, cost: new(big.Rat), total: new(big.Rat), useful: p.Useful.Rat(), apart: new(big.Rat),
	}
	for class, c := range p.Cells {
		if c.Hours.IsZero() {
			h.apart.Add(h.apart, c.Cost.Rat())
			continue
		}
		h.cells[class] = c
		h.cost.Add(h.cost, c.Cost.Rat())
		h.total.Add(h.total, c.Hours.Rat())
	}
	return h
}

// price is the cost per hour of a class that has hours.
func (c Cell) price() *big.Rat { return new(big.Rat).Quo(c.Cost.Rat(), c.Hours.Rat()) }

// Split returns the parts of after less before, in the currency of both.
func Split(before, after Period) Parts {
	var parts Parts
	for i := range parts {
		parts[i] = new(big.Rat)
	}
	was, is := before.hours(), after.hours()
	parts[WithoutHours].Sub(is.apart, was.apart)
	if was.total.Sign() == 0 {
		parts[Volume].Set(is.cost)
		return parts
	}
	mean := new(big.Rat).Quo(was.cost, was.total)
	needed := new(big.Rat).Set(is.total) // hours for the useful work of now at the earlier efficiency
	if was.useful.Sign() != 0 {
		needed.Mul(is.useful, was.total)
		needed.Quo(needed, was.useful)
	}
	parts[Volume].Sub(needed, was.total)
	parts[Volume].Mul(parts[Volume], mean)
	parts[Efficiency].Sub(is.total, needed)
	parts[Efficiency].Mul(parts[Efficiency], mean)
	if is.total.Sign() == 0 {
		return parts
	}
	parts[Mix], parts[Price] = mixAndPrice(was, is)
	return parts
}

// mixAndPrice compares the later hours with the earlier classes: H1 · Σ s0 · p0 is their cost at the earlier mix and
// prices.
func mixAndPrice(was, is hours) (mix, price *big.Rat) {
	mix, price = new(big.Rat), new(big.Rat)
	for class, c := range is.cells {
		old := c.price()
		if o, ok := was.cells[class]; ok {
			old = o.price()
		}
		at := new(big.Rat).Mul(c.Hours.Rat(), old)
		mix.Add(mix, at)
		price.Add(price, at.Sub(c.Cost.Rat(), at))
	}
	before := new(big.Rat).Quo(was.cost, was.total)
	return mix.Sub(mix, before.Mul(before, is.total)), price
}

// In restates parts in another currency, given what the costs of both periods are there (before, after) and in the
// currency of the parts (was, is). The parts are converted at the earlier period's rate, before ÷ was; what remains of
// the difference is the part Exchange: is · (after ÷ is − before ÷ was). Without a cost before, the later rate holds.
func (p Parts) In(before, after, was, is money.Amount) Parts {
	rate := ratio(before, was)
	if rate == nil {
		rate = ratio(after, is)
	}
	left := after.Sub(before).Rat()
	for i := range p {
		if rate != nil {
			p[i] = new(big.Rat).Mul(p[i], rate)
		}
		left.Sub(left, p[i])
	}
	p[Exchange] = left.Add(left, p[Exchange])
	return p
}

// ratio is a ÷ b, nil where b is 0.
func ratio(a, b money.Amount) *big.Rat {
	if b.IsZero() {
		return nil
	}
	return new(big.Rat).Quo(a.Rat(), b.Rat())
}

// Add returns the sums of both. The zero value is no difference.
func (p Parts) Add(q Parts) Parts {
	for i := range p {
		if p[i] == nil {
			p[i] = new(big.Rat)
		}
		p[i] = new(big.Rat).Add(p[i], q[i])
	}
	return p
}

// unit is the number of units of 1e-12 in one of a currency.
var unit = new(big.Rat).SetInt64(1_000_000_000_000)

// Round returns the parts as amounts that add up to difference exactly. Each is a multiple of 1e-12 by largest
// remainder (of equal ones the first); digits of difference below that go whole to the largest part. It returns an
// error if the parts do not add up to difference.
func (p Parts) Round(difference money.Amount) (out [partCount]money.Amount, err error) {
	sum := new(big.Rat)
	for _, part := range p {
		sum.Add(sum, part)
	}
	if sum.Cmp(difference.Rat()) != 0 {
		return out, fmt.Errorf("the parts of a difference of %s add up to %s", difference, sum.FloatString(money.Digits))
	}
	rests := make([]*big.Rat, partCount)
	left := difference
	for i := range p {
		scaled := new(big.Rat).Mul(p[i], unit)
		floor := new(big.Int).Div(scaled.Num(), scaled.Denom()) // towards −∞: denominators are positive
		out[i] = money.FromBigUnits(floor)
		rests[i] = scaled.Sub(scaled, new(big.Rat).SetInt(floor))
		left = left.Sub(out[i])
	}
	order := []Part{Volume, Efficiency, Mix, Price, Exchange, WithoutHours}
	slices.SortStableFunc(order, func(a, b Part) int { return rests[b].Cmp(rests[a]) })
	one := money.FromUnits(1)
	for n := 0; left.Cmp(one) >= 0; n++ {
		at := order[n%len(order)]
		out[at] = out[at].Add(one)
		left = left.Sub(one)
	}
	largest := 0
	for i := range p {
		if new(big.Rat).Abs(p[i]).Cmp(new(big.Rat).Abs(p[largest])) > 0 {
			largest = i
		}
	}
	out[largest] = out[largest].Add(left)
	return out, nil
}
