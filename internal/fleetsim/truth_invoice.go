package fleetsim

import "math/big"

// bases is the billed cost inside and outside the fleet of some lines.
type bases struct{ fleet, other *big.Rat }

func newBases() *bases { return &bases{new(big.Rat), new(big.Rat)} }

// share is the fleet's part; negative bases count as 0.
func (b *bases) share() (share *big.Rat, known bool) {
	fleet, other := positive(b.fleet), positive(b.other)
	sum := new(big.Rat).Add(fleet, other)
	if sum.Sign() == 0 {
		return new(big.Rat), false
	}
	return fleet.Quo(fleet, sum), true
}

func positive(r *big.Rat) *big.Rat {
	if r.Sign() < 0 {
		return new(big.Rat)
	}
	return new(big.Rat).Set(r)
}

// invoiceWide is rules 8.8 and 8.16.
func (t *truth) invoiceWide() {
	shares := map[*charge]*big.Rat{}
	for _, c := range t.charges {
		if c.rule == wide {
			shares[c] = t.wideShare(c)
			t.split(c, shares[c])
		}
	}
	for _, c := range t.charges {
		if c.rule != invoice {
			continue
		}
		b := newBases()
		for _, o := range t.charges {
			if o.rule != invoice && sameBill(c, o) {
				t.count(b, o, shares[o])
			}
		}
		share, _ := b.share()
		t.split(c, share)
	}
}

// sameBill: one sub-account, or all of the billing account when the
// invoice-wide line names none.
func sameBill(c, o *charge) bool {
	return c.period == o.period && c.currency == o.currency && c.billing == o.billing && (c.account == "" || c.account == o.account)
}

// wideShare takes the narrowest base of 8.16 that is not 0.
func (t *truth) wideShare(c *charge) *big.Rat {
	for _, fits := range []func(o *charge) bool{
		func(o *charge) bool {
			return o.service == c.service && (c.usageType == "" || o.usageType == c.usageType)
		},
		func(o *charge) bool { return o.service == c.service },
		func(*charge) bool { return true },
	} {
		b := newBases()
		for _, o := range t.charges {
			if o.rule != invoice && o.rule != wide && sameBill(c, o) && (c.service == "" || fits(o)) {
				t.count(b, o, nil)
			}
		}
		if share, known := b.share(); known {
			return share
		}
	}
	return new(big.Rat)
}

// count adds a line to the base, on the side to which its parts go.
func (t *truth) count(b *bases, o *charge, share *big.Rat) {
	if o.billed == nil {
		return
	}
	fleet := new(big.Rat)
	switch o.rule {
	case ofMachine, attached, metered:
		fleet.Set(o.billed)
	case negation:
		goes, _, _ := t.negated(o)
		fleet.Neg(goes)
	case wide:
		fleet.Mul(o.billed, share)
	}
	b.fleet.Add(b.fleet, fleet)
	b.other.Add(b.other, new(big.Rat).Sub(o.billed, fleet))
}

// split posts the fleet's share and the rest, each evenly over its hours.
func (t *truth) split(c *charge, share *big.Rat) {
	t.evenly(c, "shared", c.times(share))
	t.evenly(c, "non_gpu", c.times(new(big.Rat).Sub(big.NewRat(1, 1), share)))
}
