package part

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

var errNotObserved = errors.New("the charge was not observed: observe every charge before the first cut")

// coverKey ties negations to the lines they negate (rule 8.6).
type coverKey struct {
	payer, plan, usageType, currency string
	hour                             period.Second
}

func coverKeyOf(ch *ledger.Charge) coverKey {
	return coverKey{ch.BillingAccount, ch.CommitmentID, ch.UsageType, ch.Currency, ch.Period.From.Floor(period.Hour)}
}

// coverage is the data of one key: lines that a plan covered and lines that negate their cost.
type coverage struct {
	lines     []coveredLine // on fleet nodes, by charge id once finished
	outside   money.Amount  // billed cost of covered lines outside the fleet
	negations []negation    // by charge id once finished
}

type coveredLine struct {
	id     ledger.ID
	target target
	period period.Interval
	billed money.Amount
}

type negation struct {
	id     ledger.ID
	base   baseKey // the tax base that it counts in
	billed money.Amount
	taken  money.Amount // |billed| as far as covered lines take it
}

func (c *Cutter) coverageOf(ch *ledger.Charge) *coverage {
	key := coverKeyOf(ch)
	v := c.covered[key]
	if v == nil {
		v = &coverage{}
		c.covered[key] = v
	}
	return v
}

// observeCovered records a covered line. Negative ones have nothing to negate.
func (c *Cutter) observeCovered(ch *ledger.Charge, t target) {
	if ch.Billed == nil || ch.Billed.Sign() <= 0 {
		return
	}
	v := c.coverageOf(ch)
	if t.kind == ledger.PartNonGPU {
		v.outside = v.outside.Add(*ch.Billed)
		return
	}
	v.lines = append(v.lines, coveredLine{ch.ID, t, ch.Period, *ch.Billed})
}

func (c *Cutter) observeNegation(ch *ledger.Charge) {
	v := c.coverageOf(ch)
	v.negations = append(v.negations, negation{id: ch.ID, base: baseKeyOf(ch), billed: amount(ch.Billed)})
}

// finishNegations divides the covered lines among the negations and counts the negations on the side of their targets.
func (c *Cutter) finishNegations() error {
	for _, v := range c.covered {
		v.finish()
		for _, n := range v.negations {
			shares, err := money.Split(n.billed, v.shares(n))
			if err != nil {
				return fmt.Errorf("negation %s: %w", n.id, err)
			}
			for i, s := range shares {
				c.bases.count(n.base, i < len(v.lines) && v.lines[i].target.ofFleet(), s)
			}
		}
	}
	return nil
}

// total is the billed cost of all covered lines.
func (v *coverage) total() money.Amount {
	sum := v.outside
	for _, l := range v.lines {
		sum = sum.Add(l.billed)
	}
	return sum
}

// finish assigns covered cost to the negations in charge id order, never more than the lines cost together. Reversed
// negations have a separate pot.
func (v *coverage) finish() {
	slices.SortFunc(v.lines, func(a, b coveredLine) int { return bytes.Compare(a.id[:], b.id[:]) })
	slices.SortFunc(v.negations, func(a, b negation) int { return bytes.Compare(a.id[:], b.id[:]) })
	left := map[int]money.Amount{-1: v.total(), 1: v.total(), 0: {}}
	for i := range v.negations {
		n := &v.negations[i]
		sign, size := n.billed.Sign(), abs(n.billed)
		n.taken = size
		if left[sign].Cmp(size) < 0 {
			n.taken = left[sign]
		}
		left[sign] = left[sign].Sub(n.taken)
	}
}

// shares weighs a negation's targets: each covered line, those outside the fleet, and the rest that no line takes.
func (v *coverage) shares(n negation) []*big.Int {
	total := v.total()
	rest := abs(n.billed).Sub(n.taken)
	if n.billed.IsZero() { // billed zero: other measures follow the lines
		n.taken = total
	}
	amounts := make([]money.Amount, 0, len(v.lines)+4)
	for _, l := range v.lines {
		amounts = append(amounts, l.billed)
	}
	whole := integers(append(amounts, v.outside, total, n.taken, rest)...)
	k := len(whole)
	allLines, taken, left := whole[k-3], whole[k-2], whole[k-1]
	out := whole[:k-2]
	for i := range k - 3 {
		out[i] = new(big.Int).Mul(whole[i], taken)
	}
	out[k-3] = new(big.Int).Mul(left, allLines)
	if total.IsZero() {
		out[k-3] = big.NewInt(1)
	}
	return out
}

// integers scales amounts to integers on one scale.
func integers(amounts ...money.Amount) []*big.Int {
	deepest := money.Digits
	for _, a := range amounts {
		_, scale := a.Scaled()
		deepest = max(deepest, scale)
	}
	out := make([]*big.Int, len(amounts))
	for i, a := range amounts {
		coef, scale := a.Scaled()
		out[i] = coef.Mul(coef, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(deepest-scale)), nil))
	}
	return out
}

// cutNegation sends a negation to the targets of the lines that it negates.
func (c *Cutter) cutNegation(ch *ledger.Charge) ([]ledger.Part, error) {
	v := c.coverageOf(ch)
	i, ok := slices.BinarySearchFunc(v.negations, ch.ID,
		func(n negation, id ledger.ID) int { return bytes.Compare(n.id[:], id[:]) })
	if !ok {
		return nil, errNotObserved
	}
	w := v.shares(v.negations[i])
	costs, err := splitCosts(ch.Costs, w)
	if err != nil {
		return nil, err
	}
	owner := c.ownerOf(nil, ch)
	start := ch.Period.From.Floor(period.Hour)
	var parts []ledger.Part
	for j, share := range costs {
		if w[j].Sign() == 0 {
			continue
		}
		switch {
		case j < len(v.lines):
			l := v.lines[j]
			cut, err := spread(share, c.places(l.period, l.target))
			if err != nil {
				return nil, err
			}
			for k := range cut {
				cut[k].Method = ByCovered
				if !l.target.slots() {
					cut[k].OwnerID = owner
				}
			}
			parts = append(parts, cut...)
		case j == len(v.lines):
			parts = append(parts, ledger.Part{
				Kind: ledger.PartNonGPU, Hour: start, Method: ByCovered, Costs: share, OwnerID: owner,
			})
		default:
			parts = append(parts, ledger.Part{
				Kind: ledger.PartCommitmentFee, Hour: start, Method: ByCovered, Costs: share, OwnerID: owner,
			})
		}
	}
	return parts, nil
}

// splitCosts splits every measure that is present by the same weights.
func splitCosts(costs ledger.Costs, w []*big.Int) ([]ledger.Costs, error) {
	out := make([]ledger.Costs, len(w))
	for _, m := range ledger.Metrics {
		a := costs.Get(m)
		if a == nil {
			continue
		}
		shares, err := money.Split(*a, w)
		if err != nil {
			return nil, err
		}
		for i := range out {
			out[i].Set(m, &shares[i])
		}
	}
	return out, nil
}
