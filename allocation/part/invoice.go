package part

import (
	"errors"
	"fmt"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

var errNotObserved = errors.New("the charge was not seen by the first pass: observe every charge before the first cut")

// baseKey is whose other lines an invoice-wide charge is split by (rule 8.8).
type baseKey struct {
	account  string
	period   period.Month
	currency string
}

// base is the billed cost inside and outside the fleet.
type base struct{ fleet, outside money.Amount }

func baseKeyOf(ch *ledger.Charge) baseKey { return baseKey{ch.Account, ch.BillingPeriod, ch.Currency} }

func (c *Cutter) count(key baseKey, inFleet bool, billed money.Amount) {
	b := c.bases[key]
	if inFleet {
		b.fleet = b.fleet.Add(billed)
	} else {
		b.outside = b.outside.Add(billed)
	}
	c.bases[key] = b
}

// Observe learns from one charge of the delivery, in any order.
func (c *Cutter) Observe(ch *ledger.Charge) {
	var t target
	switch ch.Kind {
	case ledger.LineInvoice:
		c.owner(nil, ch.Tags)
		return
	case ledger.LineNegation:
		c.observeNegation(ch) // counts where it goes, known once all lines are
		c.owner(nil, ch.Tags)
		return
	case ledger.LineCommitmentFee:
		t.kind = ledger.PartCommitmentFee
	default:
		t = c.classify(ch)
		if n := ch.Period.Seconds(); t.node != nil && n > period.Hour && n <= longest {
			c.usedLife = true
		}
	}
	if ch.Kind == ledger.LineCoveredUsage {
		c.observeCovered(ch, t)
	}
	c.count(baseKeyOf(ch), t.kind == ledger.PartCompute || t.kind == ledger.PartShared, amount(ch.Billed))
	if !t.slots() {
		c.owner(t.node, ch.Tags)
	}
}

// finish settles, once, what depends on all charges.
func (c *Cutter) finish() error {
	if c.ready {
		return nil
	}
	c.ready = true
	for _, v := range c.covered {
		v.finish()
		for _, n := range v.negations {
			shares, err := money.Split(n.billed, v.shares(n))
			if err != nil {
				return fmt.Errorf("negation %s: %w", n.id, err)
			}
			for i, s := range shares {
				c.count(n.base, i < len(v.lines), s)
			}
		}
	}
	return nil
}

// cutInvoice splits tax and support fleet : non-fleet, each over its hours.
func (c *Cutter) cutInvoice(ch *ledger.Charge) ([]ledger.Part, error) {
	b := c.bases[baseKeyOf(ch)]
	fleet, outside := atLeastZero(b.fleet), atLeastZero(b.outside)
	w := integers(fleet, outside)
	if fleet.IsZero() && outside.IsZero() {
		w = integers(money.FromUnits(0), money.FromUnits(1))
	}
	sides, err := splitCosts(ch.Costs, w)
	if err != nil {
		return nil, err
	}
	var parts []ledger.Part
	for i, kind := range []ledger.PartKind{ledger.PartShared, ledger.PartNonGPU} {
		if w[i].Sign() == 0 {
			continue
		}
		like := place{kind: kind, method: ByBase}
		places := []place{like}
		places[0].hour, places[0].weight = ch.Period.From.Floor(period.Hour), 1
		if n := ch.Period.Seconds(); n > period.Hour && n <= longest {
			places = hourly(ch.Period, like)
		}
		cut, err := spread(sides[i], places)
		if err != nil {
			return nil, err
		}
		parts = append(parts, cut...)
	}
	c.own(parts, nil, ch.Tags)
	return parts, nil
}

// cutFee makes the cash side and the unused side of a commitment (rule 8.7).
func (c *Cutter) cutFee(ch *ledger.Charge) ([]ledger.Part, error) {
	zero := money.Amount{}
	carried := func(a *money.Amount) *money.Amount {
		if a == nil {
			return nil
		}
		return &zero
	}
	fee := ledger.Costs{Billed: ch.Billed, Effective: carried(ch.Effective), List: ch.List, Contracted: ch.Contracted}
	sides := []struct {
		kind  ledger.PartKind
		costs ledger.Costs
	}{{ledger.PartCommitmentFee, fee}}
	if ch.Effective != nil && !ch.Effective.IsZero() {
		unused := ledger.Costs{Billed: carried(ch.Billed), Effective: ch.Effective, List: carried(ch.List), Contracted: carried(ch.Contracted)}
		sides = append(sides, struct {
			kind  ledger.PartKind
			costs ledger.Costs
		}{ledger.PartCommitmentUnused, unused})
	}
	var parts []ledger.Part
	for _, s := range sides {
		cut, err := spread(s.costs, c.places(ch.Period, target{kind: s.kind, method: ByFee}))
		if err != nil {
			return nil, err
		}
		for i := range cut {
			cut[i].Method = ByFee
		}
		parts = append(parts, cut...)
	}
	c.own(parts, nil, ch.Tags)
	return parts, nil
}

func amount(a *money.Amount) money.Amount {
	if a == nil {
		return money.Amount{}
	}
	return *a
}

func abs(a money.Amount) money.Amount {
	if a.Sign() < 0 {
		return a.Neg()
	}
	return a
}

func atLeastZero(a money.Amount) money.Amount {
	if a.Sign() < 0 {
		return money.Amount{}
	}
	return a
}
