package pricebook

import (
	"math/big"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Components of the cost of a machine's hour, in their order on the line.
const (
	depreciation = iota
	power
	colocation
	support
	staff
	opportunity
	components
)

var componentNames = [components]string{"depreciation", "power", "colocation", "support", "staff", "opportunity"}

// hourCost is the cost of a machine in one clock hour of service.
type hourCost struct {
	span    period.Interval // inside the clock hour
	parts   [components]money.Amount
	carried [components]bool
	energy  string // source of the energy, for people
}

func (h *hourCost) total() money.Amount { return money.Sum(h.parts[:]...) }

// text names the components with their exact amounts.
func (h *hourCost) text() string {
	var b strings.Builder
	for i, name := range componentNames {
		if !h.carried[i] {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(" + ")
		}
		b.WriteString(name + " " + h.parts[i].String())
		if i == power {
			b.WriteString(" (" + h.energy + ")")
		}
	}
	return b.String()
}

// hours are the hours of service of an entry in a calendar month.
func (e *Owned) hours(month period.Interval) []hourCost {
	var out []hourCost
	in := e.Service.Intersect(month)
	for at := range in.Steps(period.Hour) {
		out = append(out, hourCost{span: period.HourOf(at).Intersect(in)})
	}
	return out
}

// spread distributes an amount over the clock hours of a span by largest remainder of their
// seconds, and adds the parts to the given hours; of an hour that is only partly in service,
// that part.
func spread(hours []hourCost, component int, span period.Interval, amount money.Amount) {
	if len(hours) == 0 || !span.Overlaps(period.Interval{From: hours[0].span.From, To: hours[len(hours)-1].span.To}) {
		return
	}
	var pieces []period.Interval
	var weights []uint64
	for at := range span.Steps(period.Hour) {
		piece := period.HourOf(at).Intersect(span)
		pieces, weights = append(pieces, piece), append(weights, uint64(piece.Seconds()))
	}
	shares, err := money.SplitUint(amount, weights)
	if err != nil { // a span that is not empty has weights
		return
	}
	first := hours[0].span.From.Floor(period.Hour)
	for i, piece := range pieces {
		k := int(piece.From.Floor(period.Hour)-first) / period.Hour
		if piece.From < first || k >= len(hours) {
			continue
		}
		h := &hours[k]
		share, served := shares[i], piece.Intersect(h.span).Seconds()
		if served < piece.Seconds() {
			cut, err := money.SplitUint(share, []uint64{uint64(served), uint64(piece.Seconds() - served)})
			if err != nil {
				continue
			}
			share = cut[0]
		}
		h.parts[component] = h.parts[component].Add(share)
	}
}

// fixed adds the costs that do not depend on measurements to the hours of machine i.
func (e *Owned) fixed(hours []hourCost, month period.Interval, i int) {
	carry := func(component int) {
		for k := range hours {
			hours[k].carried[component] = true
		}
	}
	if e.Method != NoDepreciation {
		carry(depreciation)
		for _, m := range e.life {
			spread(hours, depreciation, m.span, m.amount)
		}
	}
	if e.Opportunity != nil {
		carry(opportunity)
		monthly := new(big.Rat).Mul(e.Opportunity, big.NewRat(1, 12))
		for n := 0; len(hours) > 0; n++ {
			span := e.month(n)
			if span.From >= month.To {
				break
			}
			if span.Overlaps(month) {
				spread(hours, opportunity, span, e.bookValue(n).MulRat(monthly))
			}
		}
	}
	if e.Colocation != nil {
		carry(colocation)
		spread(hours, colocation, month, e.Colocation.of(i))
	}
	if e.Staff != nil {
		carry(staff)
		spread(hours, staff, month, e.Staff.of(i))
	}
	if e.Support != nil {
		carry(support)
		// A calendar year has twelve equal months.
		months := split(e.Support.of(i), ones(12))
		spread(hours, support, month, months[month.From.Time().Month()-1])
	}
}

// of is the cost of machine i.
func (c *Cost) of(i int) money.Amount { return c.each[i%len(c.each)] }

// divide computes the cost of each of n machines, by largest remainder.
func (c *Cost) divide(n int) {
	if c == nil {
		return
	}
	a := c.Amount
	if c.Share != nil {
		a = a.MulRat(c.Share)
	}
	c.each = []money.Amount{a}
	if c.Total {
		c.each = split(a, ones(n))
	}
}

var one = money.MustParse("1")

func ones(n int) []*big.Rat {
	out := make([]*big.Rat, n)
	for i := range out {
		out[i] = big.NewRat(1, 1)
	}
	return out
}

// powered adds the cost of power to the hours; measured is the telemetry of the machine's GPUs
// by clock hour. It returns how many hours are not measured throughout.
func (e *Owned) powered(hours []hourCost, measured map[period.Second]ledger.MeasuredEnergy) (unmeasured int64) {
	if e.Power == nil {
		return 0
	}
	text := func(r *big.Rat) string { return one.MulRat(r).String() }
	for k := range hours {
		h := &hours[k]
		kwh, known := e.Power.energy(h.span, e.GPUs, measured[h.span.From.Floor(period.Hour)])
		h.carried[power] = true
		h.parts[power] = one.MulRat(e.Power.cost(kwh, h.span))
		switch {
		case !e.Power.Measured:
			h.energy = "draw "
		case known.Sign() == 0:
			h.energy = "not measured, fallback "
		case known.Cmp(one.Rat()) == 0:
			h.energy = "measured "
		default:
			h.energy = "measured for " + text(new(big.Rat).Mul(known, big.NewRat(h.span.Seconds(), 1))) + " s, else fallback, "
		}
		if e.Power.Measured && known.Cmp(one.Rat()) < 0 {
			unmeasured++
		}
		h.energy += text(kwh) + " kWh, PUE " + text(e.Power.PUE)
	}
	return unmeasured
}
