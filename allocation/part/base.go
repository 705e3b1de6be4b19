package part

import (
	"fmt"
	"math/big"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// baseKey names the lines by which an invoice-wide charge, or a discount without a resource, is split (rules 8.8,
// 8.16). An empty field is not compared; wider bases leave more fields empty. A base never has both code and name of a
// service, only lines do.
type baseKey struct {
	billing   string
	account   string // empty: the whole billing account
	period    period.Month
	currency  string
	code      string // of the service
	name      string
	usageType string // for lines of instance hours and negations
	// unsupported marks lines that are not billed for support; no base consists of these alone.
	unsupported bool
}

// base is the billed cost inside and outside the fleet.
type base struct {
	fleet, outside money.Amount
	follows        big.Int // of the outside: fees that still belong to the fleet, in fine units
}

// discount is a line of rule 8.16.
type discount struct {
	id      ledger.ID
	key     baseKey
	itself  bool // for the billing account itself
	outside bool // for machines without GPUs
	billed  money.Amount
}

func baseKeyOf(ch *ledger.Charge) baseKey {
	k := baseKey{billing: ch.BillingAccount, account: ch.Account, period: ch.BillingPeriod, currency: ch.Currency,
		code: ch.ServiceCode, name: ch.ServiceName,
		unsupported: ch.Marketplace || ch.Kind == ledger.LineDiscount && ch.Class != correction}
	if ch.Aggregate == nil && (ch.InstanceHours || ch.Kind == ledger.LineNegation) {
		k.usageType = ch.UsageType
	}
	return k
}

// ofAccount is the base of everything billed to the account.
func (k baseKey) ofAccount() baseKey {
	k.code, k.name, k.usageType, k.unsupported = "", "", "", false
	return k
}

// ofBilling is ofAccount for the whole billing account.
func (k baseKey) ofBilling() baseKey {
	k.account = ""
	return k
}

// wider lists the bases that a line is part of, the narrowest first: its usage type, its service (by code or name,
// since not every bill has the code on every line), its account.
func (k baseKey) wider() []baseKey {
	out := make([]baseKey, 0, 5)
	k.unsupported = false
	code, name := k, k
	code.name, name.code = "", ""
	services := []baseKey{code, name}
	switch {
	case k.code == "":
		services = services[1:]
	case k.name == "":
		services = services[:1]
	}
	if k.usageType != "" {
		out = append(out, services...)
	}
	for _, s := range services {
		s.usageType = ""
		if s != k.ofAccount() {
			out = append(out, s)
		}
	}
	return append(out, k.ofAccount())
}

// everywhere lists the wider bases for the account of the line and for all accounts.
func (k baseKey) everywhere() []baseKey {
	if k.account == "" {
		return k.wider()
	}
	return append(k.wider(), k.ofBilling().wider()...)
}

// services are the wider bases of a service, whatever the usage type, and of the account.
func (k baseKey) services() []baseKey {
	k.usageType = ""
	return k.wider()
}

// underSupport reports whether lines of a key count in this base for support.
func (k baseKey) underSupport(lines baseKey) bool {
	return !lines.unsupported && k == k.ofAccount()
}

type bases map[baseKey]*base

func (b bases) of(key baseKey) *base {
	v := b[key]
	if v == nil {
		v = &base{}
		b[key] = v
	}
	return v
}

func (b bases) count(key baseKey, inFleet bool, billed money.Amount) {
	v := b.of(key)
	if inFleet {
		v.fleet = v.fleet.Add(billed)
	} else {
		v.outside = v.outside.Add(billed)
	}
}

// add counts all of another base.
func (b bases) add(key baseKey, more *base) {
	v := b.of(key)
	v.fleet, v.outside = v.fleet.Add(more.fleet), v.outside.Add(more.outside)
	v.follows.Add(&v.follows, &more.follows)
}

// sides are integers on one scale; negative ones count as 0.
func (b *base) sides() (fleet, outside *big.Int) {
	digits := fineDigits
	for _, a := range []money.Amount{b.fleet, b.outside} {
		_, scale := a.Scaled()
		digits = max(digits, scale)
	}
	follows := new(big.Int).Mul(&b.follows, pow10(digits-fineDigits))
	fleet, outside = wholeOf(b.fleet, digits), wholeOf(b.outside, digits)
	fleet.Add(fleet, follows)
	outside.Sub(outside, follows)
	for _, side := range []*big.Int{fleet, outside} {
		if side.Sign() < 0 {
			side.SetInt64(0)
		}
	}
	return fleet, outside
}

// empty reports whether no cost was billed; negative sides count as 0.
func (b *base) empty() bool {
	if b == nil {
		return true
	}
	fleet, outside := b.sides()
	return fleet.Sign() == 0 && outside.Sign() == 0
}

// weights are the weights of fleet and outside; an empty base is all outside (rule 8.8).
func (b *base) weights() []*big.Int {
	if b.empty() {
		return []*big.Int{big.NewInt(0), big.NewInt(1)}
	}
	fleet, outside := b.sides()
	return []*big.Int{fleet, outside}
}

// unplaced reports whether a line is a discount, credit or refund without a resource (rule 8.16).
func unplaced(ch *ledger.Charge) bool {
	return ch.Kind == ledger.LineDiscount && ch.ResourceID == "" && ch.InstanceID == ""
}

// knownOutside reports whether such a line belongs to machines without GPUs.
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
	return c.cutByBase(ch, c.bases.narrowest(c.baseOf(baseKeyOf(ch), ofItself(ch)).wider()))
}

// baseOf is the key of a line's own base. A charge to the billing account itself, which uses nothing, covers all its
// accounts (rule 8.8).
func (c *Cutter) baseOf(k baseKey, itself bool) baseKey {
	if itself && !c.used[k.ofAccount()] {
		return k.ofBilling()
	}
	return k
}

// narrowest is the first base that is not empty.
func (b bases) narrowest(keys []baseKey) *base {
	for _, k := range keys {
		if v := b[k]; !v.empty() {
			return v
		}
	}
	return nil
}

// cutInvoice splits charges that are billed on other charges (rule 8.8): tax by the lines of its service, support by
// the account's lines for the provider's own products before discounts, everything else by all of the account.
func (c *Cutter) cutInvoice(ch *ledger.Charge) ([]ledger.Part, error) {
	key := c.baseOf(baseKeyOf(ch), ofItself(ch))
	all := []baseKey{key.ofAccount()}
	switch ch.Category {
	case ledger.CategoryTax:
		return c.cutByBase(ch, c.invoice.narrowest(key.services()))
	case ledger.CategoryUsage, ledger.CategoryPurchase: // support
		if of := c.support.narrowest(all); of != nil {
			return c.cutByBase(ch, of)
		}
	}
	return c.cutByBase(ch, c.invoice.narrowest(all))
}

// finishBases sums the bases up to those of services and accounts. Discounts without a resource are cut by them, and
// count on the side of their target in the base of invoice-wide charges.
func (c *Cutter) finishBases() error {
	narrow := c.bases
	c.bases, c.invoice, c.support = make(bases, len(narrow)), bases{}, bases{}
	for k, b := range narrow {
		for _, key := range k.everywhere() {
			c.bases.add(key, b)
			if key.usageType == "" {
				c.invoice.add(key, b)
			}
			if key.underSupport(k) {
				c.support.add(key, b)
			}
		}
	}
	for _, d := range c.discounts {
		var of *base // nil: nothing belongs to the fleet
		if !d.outside {
			of = c.bases.narrowest(c.baseOf(d.key, d.itself).wider())
		}
		shares, err := money.Split(d.billed, of.weights())
		if err != nil {
			return fmt.Errorf("discount %s: %w", d.id, err)
		}
		for _, key := range d.key.everywhere() {
			if key.usageType == "" {
				c.invoice.count(key, true, shares[0])
				c.invoice.count(key, false, shares[1])
			}
			if key.underSupport(d.key) {
				c.support.count(key, true, shares[0])
				c.support.count(key, false, shares[1])
			}
		}
	}
	return nil
}

func ofItself(ch *ledger.Charge) bool { return ch.Account == "" || ch.Account == ch.BillingAccount }

// cutByBase splits a charge between fleet and non-fleet, each side over its hours.
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
