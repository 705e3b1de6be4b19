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
func Split(before, after Period) (parts Parts) {
	parts = zero()
	each(before, after, func(_ Class, of Parts) {
		for i := range parts {
			parts[i].Add(parts[i], of[i])
		}
	})
	return parts
}

// ByClass returns the parts of each class. Over all classes they add up to Split.
func ByClass(before, after Period) map[Class]Parts {
	out := map[Class]Parts{}
	each(before, after, func(class Class, of Parts) { out[class] = of })
	return out
}

func zero() (parts Parts) {
	for i := range parts {
		parts[i] = new(big.Rat)
	}
	return parts
}

// each computes the parts of every class of either period.
func each(before, after Period, f func(Class, Parts)) {
	was, is := before.hours(), after.hours()
	pace := was.pace(is)
	for class := range before.Cells {
		f(class, pace.of(before.Cells[class], after.Cells[class]))
	}
	for class := range after.Cells {
		if _, ok := before.Cells[class]; !ok {
			f(class, pace.of(Cell{}, after.Cells[class]))
		}
	}
}

// pace is how the hours of a later period relate to those of an earlier one. Each class changes in proportion, until
// mix and price say how it differs.
type pace struct {
	volume, efficiency *big.Rat // change of hours as shares of the earlier hours; nil: there were none
	hours              *big.Rat // later hours ÷ earlier hours
}

// pace compares the hours of all classes.
func (was hours) pace(is hours) pace {
	if was.total.Sign() == 0 {
		return pace{}
	}
	p := pace{hours: new(big.Rat).Quo(is.total, was.total)}
	needed := p.hours // hours for the useful work of now at the earlier efficiency, as a share of the earlier ones
	if was.useful.Sign() != 0 {
		needed = new(big.Rat).Quo(is.useful, was.useful)
	}
	p.volume = new(big.Rat).Sub(needed, big.NewRat(1, 1))
	p.efficiency = new(big.Rat).Sub(p.hours, needed)
	return p
}

// of are the parts of a class. H1 · s0 · p0 is its cost before, times the later hours ÷ the earlier ones.
func (p pace) of(was, is Cell) Parts {
	parts := zero()
	if is.Hours.IsZero() {
		parts[WithoutHours].Add(parts[WithoutHours], is.Cost.Rat())
	}
	if was.Hours.IsZero() {
		parts[WithoutHours].Sub(parts[WithoutHours], was.Cost.Rat())
	}
	if p.hours == nil {
		if !is.Hours.IsZero() {
			parts[Volume].Set(is.Cost.Rat())
		}
		return parts
	}
	if !was.Hours.IsZero() {
		cost := was.Cost.Rat()
		parts[Volume].Mul(p.volume, cost)
		parts[Efficiency].Mul(p.efficiency, cost)
		parts[Mix].Neg(cost.Mul(p.hours, cost))
	}
	if !is.Hours.IsZero() {
		old := is.price()
		if !was.Hours.IsZero() {
			old = was.price()
		}
		old.Mul(old, is.Hours.Rat())
		parts[Mix].Add(parts[Mix], old)
		parts[Price].Sub(is.Cost.Rat(), old)
	}
	return parts
}

// In restates parts in another currency, given what the costs of both periods are there (before, after) and in the
// currency of the parts (was, is). The parts are converted at the earlier period's rate, before ÷ was; what remains of
// the difference is the part Exchange: is · (after ÷ is − before ÷ was). Without a cost before, the later rate holds.
func (p Parts) In(before, after, was, is money.Amount) Parts {
	rate := Rate(before, after, was, is)
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

// Rate is the rate at which In converts parts; nil without a cost in either period.
func Rate(before, after, was, is money.Amount) *big.Rat {
	if rate := ratio(before, was); rate != nil {
		return rate
	}
	return ratio(after, is)
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
	copy(out[:], RoundTo(difference, p[:]))
	return out, nil
}

// RoundTo returns shares as amounts that add up to total exactly: multiples of 1e-12 by largest remainder (of equal
// ones the first); digits of total below that go whole to the largest share. The shares add up to total, but for its
// own rounding.
func RoundTo(total money.Amount, shares []*big.Rat) []money.Amount {
	out, rests, order := make([]money.Amount, len(shares)), make([]*big.Rat, len(shares)), make([]int, len(shares))
	left, largest := total, 0
	for i, share := range shares {
		scaled := new(big.Rat).Mul(share, unit)
		floor := new(big.Int).Div(scaled.Num(), scaled.Denom()) // towards −∞: denominators are positive
		out[i], order[i] = money.FromBigUnits(floor), i
		rests[i] = scaled.Sub(scaled, new(big.Rat).SetInt(floor))
		left = left.Sub(out[i])
		if new(big.Rat).Abs(share).Cmp(new(big.Rat).Abs(shares[largest])) > 0 {
			largest = i
		}
	}
	if len(shares) == 0 {
		return out
	}
	slices.SortStableFunc(order, func(a, b int) int { return rests[b].Cmp(rests[a]) })
	one := money.FromUnits(1)
	for n := 0; left.Cmp(one) >= 0; n++ {
		at := order[n%len(order)]
		out[at], left = out[at].Add(one), left.Sub(one)
	}
	for n := len(order) - 1; left.Cmp(one.Neg()) <= 0; n-- { // total was rounded down
		at := order[(n+len(order))%len(order)]
		out[at], left = out[at].Sub(one), left.Add(one)
	}
	out[largest] = out[largest].Add(left)
	return out
}
