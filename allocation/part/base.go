package part

import (
	"fmt"
	"math/big"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// baseKey is whose lines an invoice-wide charge, or a discount without a
// resource, is split by (rules 8.8, 8.16). service and usageType are empty in
// the wider bases.
type baseKey struct {
	account   string
	period    period.Month
	currency  string
	service   string
	usageType string // of lines of instance hours, and of negations
}

// base is the billed cost inside and outside the fleet.
type base struct{ fleet, outside money.Amount }

// discount is a line of rule 8.16.
type discount struct {
	id     ledger.ID
	key    baseKey
	billed money.Amount
}

func baseKeyOf(ch *ledger.Charge) baseKey {
	k := baseKey{account: ch.Account, period: ch.BillingPeriod, currency: ch.Currency, service: ch.ServiceCode}
	if k.service == "" {
		k.service = ch.ServiceName
	}
	if ch.Aggregate == nil && (ch.InstanceHours || ch.Kind == ledger.LineNegation) {
		k.usageType = ch.UsageType
	}
	return k
}

// ofService is the base of a service of the account.
func (k baseKey) ofService() baseKey {
	k.usageType = ""
	return k
}

// ofAccount is the base of everything that the account was billed.
func (k baseKey) ofAccount() baseKey {
	k.service, k.usageType = "", ""
	return k
}

// wider lists a key and those that it is part of.
func (k baseKey) wider() []baseKey {
	return slices.Compact([]baseKey{k, k.ofService(), k.ofAccount()})
}

type bases map[baseKey]*base

func (b bases) count(key baseKey, inFleet bool, billed money.Amount) {
	v := b[key]
	if v == nil {
		v = &base{}
		b[key] = v
	}
	if inFleet {
		v.fleet = v.fleet.Add(billed)
	} else {
		v.outside = v.outside.Add(billed)
	}
}

// empty reports whether nothing was billed; negative sides count as 0.
func (b *base) empty() bool { return b == nil || b.fleet.Sign() <= 0 && b.outside.Sign() <= 0 }

// weights are those of fleet and outside; of nothing all is outside (rule 8.8).
func (b *base) weights() []*big.Int {
	if b.empty() {
		return []*big.Int{big.NewInt(0), big.NewInt(1)}
	}
	return integers(atLeastZero(b.fleet), atLeastZero(b.outside))
}

// unplaced reports whether a line is a discount, credit or refund of no
// resource (rule 8.16). One of machines without GPUs is known to be outside.
func (c *Cutter) unplaced(ch *ledger.Charge) bool {
	if ch.Kind != ledger.LineDiscount || ch.ResourceID != "" || ch.InstanceID != "" {
		return false
	}
	return !ch.InstanceHours || ch.InstanceType == "" || c.billsGPU(ch)
}

// discountBase is the narrowest base of the discount that is not empty.
func (c *Cutter) discountBase(key baseKey) *base {
	for _, k := range key.wider() {
		if b := c.bases[k]; !b.empty() {
			return b
		}
	}
	return nil
}

// finishBases adds the bases up to those of services and accounts. Discounts
// without a resource are cut by them, and count in the base of invoice-wide
// charges where they go.
func (c *Cutter) finishBases() error {
	narrow := c.bases
	c.bases = make(bases, len(narrow))
	for k, b := range narrow {
		for _, key := range k.wider() {
			c.bases.count(key, true, b.fleet)
			c.bases.count(key, false, b.outside)
		}
	}
	c.invoice = bases{}
	for k, b := range c.bases {
		if k == k.ofAccount() {
			c.invoice.count(k, true, b.fleet)
			c.invoice.count(k, false, b.outside)
		}
	}
	for _, d := range c.discounts {
		shares, err := money.Split(d.billed, c.discountBase(d.key).weights())
		if err != nil {
			return fmt.Errorf("discount %s: %w", d.id, err)
		}
		c.invoice.count(d.key.ofAccount(), true, shares[0])
		c.invoice.count(d.key.ofAccount(), false, shares[1])
	}
	return nil
}

// cutByBase splits a charge fleet : non-fleet, each side over its hours.
func (c *Cutter) cutByBase(ch *ledger.Charge, b *base) ([]ledger.Part, error) {
	w := b.weights()
	sides, err := splitCosts(ch.Costs, w)
	if err != nil {
		return nil, err
	}
	var parts []ledger.Part
	for i, kind := range []ledger.PartKind{ledger.PartShared, ledger.PartNonGPU} {
		if w[i].Sign() == 0 {
			continue
		}
		cut, err := spread(sides[i], evenly(ch.Period, longest, place{kind: kind, method: ByBase}))
		if err != nil {
			return nil, err
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
