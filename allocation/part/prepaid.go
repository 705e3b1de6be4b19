package part

import (
	"bytes"
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// prepaidKey is the scope within which prepaid lines and commitment credits match (rule 8.15 a).
type prepaidKey struct {
	billingAccount string
	period         period.Month
	currency       string
}

func prepaidKeyOf(ch *ledger.Charge) prepaidKey {
	return prepaidKey{ch.BillingAccount, ch.BillingPeriod, ch.Currency}
}

// commitment is a line's data on a commitment, possibly empty.
type commitment struct{ id, region string }

func commitmentOf(ch *ledger.Charge) commitment { return commitment{ch.CommitmentID, ch.Region} }

// agrees reports whether both may be the same commitment.
func (a commitment) agrees(b commitment) bool {
	if a.id != "" && b.id != "" {
		return a.id == b.id
	}
	return a.region == "" || b.region == "" || a.region == b.region
}

func (a commitment) compare(b commitment) int {
	return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.region, b.region))
}

// prepaid is the data of one key: lines paid in advance, and lines that commitments reduced.
type prepaid struct {
	fees    []fee
	credits []credit                       // of fleet lines
	outside map[outsideCredit]money.Amount // of others, by start
}

// fee is a prepaid line with effective cost on it.
type fee struct {
	id        ledger.ID
	uses      *uses
	of        commitment
	period    period.Interval
	effective money.Amount
	base      baseKey // the base that it counts in
	billed    money.Amount
	block     *ledger.Charge // the line itself, if for machines with GPUs
}

// credit is a line that commitments paid for, with the rest of their part.
type credit struct {
	id     ledger.ID // zero for lines outside the fleet, which are merged
	of     commitment
	target target
	period period.Interval
	left   money.Amount
}

// outsideCredit merges lines outside the fleet.
type outsideCredit struct {
	from period.Second
	of   commitment
}

// plan is the targets of a prepaid line's effective cost (rule 8.15 a).
type plan struct {
	moves []move
	rest  money.Amount // to commitment_unused
	fleet *big.Rat     // share of the line that goes to the fleet
}

type move struct {
	target target
	period period.Interval
	amount money.Amount
}

func (c *Cutter) prepaidOf(ch *ledger.Charge) *prepaid {
	key := prepaidKeyOf(ch)
	v := c.prepaid[key]
	if v == nil {
		v = &prepaid{outside: map[outsideCredit]money.Amount{}}
		c.prepaid[key] = v
	}
	return v
}

func (c *Cutter) observePrepaid(ch *ledger.Charge) {
	if ch.Effective == nil || ch.Effective.Sign() <= 0 {
		return
	}
	c.current.others = true // they may have its credits
	v := c.prepaidOf(ch)
	f := fee{
		id: ch.ID, uses: c.current, of: commitmentOf(ch), period: ch.Period,
		effective: *ch.Effective, base: baseKeyOf(ch), billed: amount(ch.Billed),
	}
	if c.isBlock(ch) {
		block := *ch
		f.block = &block
		c.dependOnLives(ch.Period)
		c.current.end = widen(c.current.end, ch.Period)
	}
	v.fees = append(v.fees, f)
}

func (c *Cutter) observeCredit(ch *ledger.Charge, t target) {
	v := c.prepaidOf(ch)
	if t.ofFleet() {
		v.credits = append(v.credits, credit{ch.ID, commitmentOf(ch), t, ch.Period, *ch.CommitmentCredit})
		return
	}
	key := outsideCredit{ch.Period.From, commitmentOf(ch)}
	v.outside[key] = v.outside[key].Add(*ch.CommitmentCredit)
}

func (c *Cutter) finishPrepaid() error {
	for _, v := range c.prepaid {
		if len(v.fees) == 0 {
			continue
		}
		if err := v.finish(c.plans); err != nil {
			return err
		}
	}
	return nil
}

// finish lets groups of prepaid lines take from the credits, in the order of their terms.
func (v *prepaid) finish(plans map[ledger.ID]*plan) error {
	order := func(a, b fee) int {
		return cmp.Or(cmp.Compare(a.period.From, b.period.From), cmp.Compare(a.period.To, b.period.To), a.of.compare(b.of))
	}
	slices.SortFunc(v.fees, func(a, b fee) int { return cmp.Or(order(a, b), bytes.Compare(a.id[:], b.id[:])) })
	credits := v.allCredits()
	for left := v.fees; len(left) > 0; {
		n := 1
		for n < len(left) && order(left[0], left[n]) == 0 {
			n++
		}
		group := left[:n]
		left = left[n:]
		if slices.ContainsFunc(credits, func(l credit) bool { return l.of.agrees(group[0].of) }) {
			if err := take(group, beneficiaries(credits, group[0]), plans); err != nil {
				return err
			}
		}
	}
	return nil
}

// allCredits lists the credits by the start of their lines.
func (v *prepaid) allCredits() []credit {
	out := slices.Clone(v.credits)
	for k, sum := range v.outside {
		at := period.Interval{From: k.from, To: k.from + 1}
		out = append(out, credit{of: k.of, target: target{kind: ledger.PartNonGPU, method: ByCredit}, period: at, left: sum})
	}
	slices.SortFunc(out, func(a, b credit) int { return cmp.Or(cmp.Compare(a.period.From, b.period.From), a.compare(b)) })
	return out
}

// compare orders credits for cutting shares: fleet lines by charge id, then the others.
func (a credit) compare(b credit) int {
	switch outA, outB := a.id.IsZero(), b.id.IsZero(); {
	case outA && outB:
		return cmp.Or(cmp.Compare(a.period.From, b.period.From), a.of.compare(b.of))
	case outA:
		return 1
	case outB:
		return -1
	}
	return bytes.Compare(a.id[:], b.id[:])
}

// beneficiaries are the credits of the fee's commitment whose lines start
// inside its term. credits are ordered by start.
func beneficiaries(credits []credit, f fee) []*credit {
	from, _ := slices.BinarySearchFunc(credits, f.period.From,
		func(l credit, at period.Second) int { return cmp.Compare(l.period.From, at) })
	var out []*credit
	for i := from; i < len(credits) && credits[i].period.From < f.period.To; i++ {
		if credits[i].of.agrees(f.of) {
			out = append(out, &credits[i])
		}
	}
	slices.SortFunc(out, func(a, b *credit) int { return a.compare(*b) })
	return out
}

// take moves the smaller of the group's effective cost and the credits.
func take(group []fee, from []*credit, plans map[ledger.ID]*plan) error {
	var cost, left, fleet money.Amount
	costs := make([]money.Amount, len(group))
	for i, f := range group {
		costs[i], cost = f.effective, cost.Add(f.effective)
	}
	for _, l := range from {
		left = left.Add(l.left)
		if l.target.ofFleet() {
			fleet = fleet.Add(l.left)
		}
	}
	share := new(big.Rat)
	if fleet.Sign() > 0 {
		most := left
		if left.Cmp(cost) < 0 {
			most = cost
		}
		share.Quo(fleet.Rat(), most.Rat())
	}
	taken := costs
	if left.Cmp(cost) < 0 {
		var err error
		if taken, err = money.Split(left, integers(costs...)); err != nil {
			return err
		}
	}
	for i, f := range group {
		p := &plan{rest: f.effective.Sub(taken[i]), fleet: share}
		plans[f.id] = p
		if taken[i].IsZero() {
			continue
		}
		lefts := make([]money.Amount, len(from))
		for k, l := range from {
			lefts[k] = l.left
		}
		shares, err := money.Split(taken[i], integers(lefts...))
		if err != nil {
			return fmt.Errorf("prepaid charge %s: %w", f.id, err)
		}
		for k, l := range from {
			if shares[k].IsZero() {
				continue
			}
			l.left = atLeastZero(l.left.Sub(shares[k]))
			p.moves = append(p.moves, move{l.target, l.period, shares[k]})
			if len(l.target.pool) > 0 || l.target.node != nil && l.period.Seconds() > period.Hour {
				f.uses.lives = widen(f.uses.lives, l.period) // it follows the cut of a line that depends on lives
			}
		}
	}
	return nil
}
