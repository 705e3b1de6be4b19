package truth

import (
	"math/big"

	"gpuledger/internal/fleetsim/bills"
)

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
	shares := map[*bills.Charge]*big.Rat{}
	for _, c := range t.charges {
		if c.Rule == bills.Wide {
			shares[c] = t.wideShare(c)
			t.split(c, shares[c])
		}
	}
	for _, c := range t.charges {
		if c.Rule != bills.Invoice {
			continue
		}
		t.split(c, t.invoiceShare(c, shares))
	}
}

// invoiceShare uses the lines of the taxed service; if there are none, or they are 0, all lines.
func (t *truth) invoiceShare(c *bills.Charge, shares map[*bills.Charge]*big.Rat) *big.Rat {
	for _, service := range []string{c.Service, ""} {
		b := newBases()
		for _, o := range t.charges {
			if o.Rule != bills.Invoice && sameBill(c, o) && (service == "" || o.Service == service) {
				t.count(b, o, shares[o])
			}
		}
		if share, known := b.share(); known {
			return share
		}
	}
	return new(big.Rat)
}

// sameBill: one sub-account, or all of the billing account if the invoice-wide line names none.
func sameBill(c, o *bills.Charge) bool {
	return c.Period == o.Period && c.Currency == o.Currency && c.Billing == o.Billing &&
		(c.Account == "" || c.Account == o.Account)
}

// wideShare uses the narrowest base of 8.16 that is not 0.
func (t *truth) wideShare(c *bills.Charge) *big.Rat {
	for _, fits := range []func(o *bills.Charge) bool{
		func(o *bills.Charge) bool {
			return o.Service == c.Service && (c.UsageType == "" || o.UsageType == c.UsageType)
		},
		func(o *bills.Charge) bool { return o.Service == c.Service },
		func(*bills.Charge) bool { return true },
	} {
		b := newBases()
		for _, o := range t.charges {
			if o.Rule != bills.Invoice && o.Rule != bills.Wide && sameBill(c, o) && (c.Service == "" || fits(o)) {
				t.count(b, o, nil)
			}
		}
		if share, known := b.share(); known {
			return share
		}
	}
	return new(big.Rat)
}

// count adds a line to the base, on the side of its parts.
func (t *truth) count(b *bases, o *bills.Charge, share *big.Rat) {
	if o.Billed == nil {
		return
	}
	fleet := new(big.Rat)
	switch o.Rule {
	case bills.OfMachine, bills.Attached, bills.Metered:
		fleet.Set(o.Billed)
	case bills.Negation:
		goes, _, _ := t.negated(o)
		fleet.Neg(goes)
	case bills.Wide:
		fleet.Mul(o.Billed, share)
	case bills.Fee:
		fleet.Mul(o.Billed, t.paidFor(o))
	case bills.Prepaid:
		if served := t.served[o]; served != nil {
			fleet.Quo(fleet.Mul(o.Billed, served), o.Effective)
		}
	}
	fleet = exactEnough(fleet)
	b.fleet.Add(b.fleet, fleet)
	b.other.Add(b.other, new(big.Rat).Sub(o.Billed, fleet))
}

// split posts the fleet's share and the rest, each evenly over its hours.
func (t *truth) split(c *bills.Charge, share *big.Rat) {
	t.evenly(c, "shared", c.Times(share))
	t.evenly(c, "non_gpu", c.Times(new(big.Rat).Sub(big.NewRat(1, 1), share)))
}

// exactEnough truncates a number far below billable amounts: over thousands of hours the denominators would grow too
// large.
func exactEnough(r *big.Rat) *big.Rat {
	one := new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)
	n := new(big.Int).Mul(r.Num(), one)
	return new(big.Rat).SetFrac(n.Quo(n, r.Denom()), one)
}

// paidFor is the share of a fee that paid for machines of the fleet, relative to the cost of its commitment in the
// month, used or not. A line that is entirely unused paid for nothing.
func (t *truth) paidFor(c *bills.Charge) *big.Rat {
	if c.Plan == "" || c.Effective != nil && c.Effective.Cmp(c.Billed) == 0 {
		return new(big.Rat)
	}
	key := [4]string{c.Plan, c.Billing, c.Period, c.Currency}
	if share := t.paid[key]; share != nil {
		return share
	}
	used, all := new(big.Rat), new(big.Rat)
	for _, o := range t.charges {
		if key != [4]string{o.Plan, o.Billing, o.Period, o.Currency} || o.Effective == nil {
			continue
		}
		switch {
		case o.Rule == bills.Fee && o.Billed != nil && o.Effective.Cmp(o.Billed) == 0:
			continue
		case o.Rule == bills.OfMachine:
			used.Add(used, o.Effective)
		}
		all.Add(all, o.Effective)
	}
	share := new(big.Rat)
	if used.Sign() > 0 {
		share.Quo(used, all)
	}
	t.paid[key] = share
	return share
}
