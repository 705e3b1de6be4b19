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
	billing   string
	account   string // empty: of the whole billing account
	period    period.Month
	currency  string
	service   string
	usageType string // of lines of instance hours, and of negations
}

// base is the billed cost inside and outside the fleet.
type base struct{ fleet, outside money.Amount }

// discount is a line of rule 8.16.
type discount struct {
	id      ledger.ID
	key     baseKey
	itself  bool // of the billing account itself
	outside bool // of machines without GPUs
	billed  money.Amount
}

func baseKeyOf(ch *ledger.Charge) baseKey {
	k := baseKey{billing: ch.BillingAccount, account: ch.Account, period: ch.BillingPeriod, currency: ch.Currency, service: ch.ServiceCode}
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

// ofBilling is the same of the whole billing account.
func (k baseKey) ofBilling() baseKey {
	k.account = ""
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
// resource (rule 8.16).
func unplaced(ch *ledger.Charge) bool {
	return ch.Kind == ledger.LineDiscount && ch.ResourceID == "" && ch.InstanceID == ""
}

// knownOutside reports whether such a line is of machines without GPUs.
func (c *Cutter) knownOutside(ch *ledger.Charge) bool {
	return ch.InstanceHours && ch.InstanceType != "" && !c.billsGPU(ch)
}

func (c *Cutter) observeDiscount(ch *ledger.Charge) {
	c.current.others = true
	c.discounts = append(c.discounts, discount{ch.ID, baseKeyOf(ch), ofItself(ch), c.knownOutside(ch), amount(ch.Billed)})
	c.ownerOf(nil, ch)
}

func (c *Cutter) cutDiscount(ch *ledger.Charge) ([]ledger.Part, error) {
	if c.knownOutside(ch) {
		return c.cutPlain(ch)
	}
	return c.cutByBase(ch, c.discountBase(c.baseOf(baseKeyOf(ch), ofItself(ch))))
}

// baseOf is the key of a line's own base. What is billed to the billing account
// itself, which uses nothing, is of all its accounts (rule 8.8).
func (c *Cutter) baseOf(k baseKey, itself bool) baseKey {
	if itself && !c.used[k.ofAccount()] {
		return k.ofBilling()
	}
	return k
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
		keys := k.wider()
		if k.account != "" {
			keys = append(keys, k.ofBilling().wider()...)
		}
		for _, key := range keys {
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
		var of *base // nothing is of the fleet
		if !d.outside {
			of = c.discountBase(c.baseOf(d.key, d.itself))
		}
		shares, err := money.Split(d.billed, of.weights())
		if err != nil {
			return fmt.Errorf("discount %s: %w", d.id, err)
		}
		for _, key := range slices.Compact([]baseKey{d.key.ofAccount(), d.key.ofBilling().ofAccount()}) {
			c.invoice.count(key, true, shares[0])
			c.invoice.count(key, false, shares[1])
		}
	}
	return nil
}

func ofItself(ch *ledger.Charge) bool { return ch.Account == "" || ch.Account == ch.BillingAccount }

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
	c.own(parts, nil, ch)
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
