package part

import (
	"math/big"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// A commitment's fee counts in the base of invoice-wide charges on the side of the usage that it paid for (rule 8.8):
// on the invoice the covered lines cost nothing, the fee does.

// fineDigits are the digits of shares of fees. They are not rounded to those of money: over thousands of hourly fees
// the rounding would add up.
const fineDigits = 30

// fine is an amount × share, in fine units.
func fine(a money.Amount, share *big.Rat) *big.Int {
	x := new(big.Rat).Mul(a.Rat(), share)
	n := new(big.Int).Mul(x.Num(), pow10(fineDigits))
	return n.Quo(n, x.Denom())
}

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// wholeOf is an amount in units of 10^-digits; digits must not be fewer than the amount's own.
func wholeOf(a money.Amount, digits int) *big.Int {
	coef, scale := a.Scaled()
	return coef.Mul(coef, pow10(digits-scale))
}

// paidKey is the attributes that a commitment's fees and the lines that it covers share.
type paidKey struct {
	billing, commitment, currency string
	period                        period.Month
}

func paidKeyOf(ch *ledger.Charge) paidKey {
	return paidKey{ch.BillingAccount, ch.CommitmentID, ch.Currency, ch.BillingPeriod}
}

// paid is the data of one key: the effective cost of covered lines and of the unused part, and the amount billed for
// both.
type paid struct {
	fleet, outside, unused money.Amount
	fees                   map[baseKey]money.Amount
}

func (c *Cutter) paidOf(ch *ledger.Charge) *paid {
	key := paidKeyOf(ch)
	v := c.paid[key]
	if v == nil {
		v = &paid{fees: map[baseKey]money.Amount{}}
		c.paid[key] = v
	}
	return v
}

// observeFee counts a fee outside the fleet until the usage that it paid for is known. A line that is entirely unused
// (hours of an empty reservation) paid for nothing.
func (c *Cutter) observeFee(ch *ledger.Charge) {
	billed, effective := amount(ch.Billed), amount(ch.Effective)
	key := baseKeyOf(ch)
	c.bases.count(key, false, billed)
	if ch.CommitmentID == "" || ch.Billed != nil && billed.Cmp(effective) == 0 {
		return
	}
	v := c.paidOf(ch)
	v.unused = v.unused.Add(effective)
	v.fees[key] = v.fees[key].Add(billed)
}

// observePaid records the cost of a line under its commitment.
func (c *Cutter) observePaid(ch *ledger.Charge, t target) {
	if ch.CommitmentID == "" {
		return
	}
	cost := ch.Effective
	if cost == nil {
		cost = ch.Billed
	}
	v := c.paidOf(ch)
	if t.ofFleet() {
		v.fleet = v.fleet.Add(amount(cost))
	} else {
		v.outside = v.outside.Add(amount(cost))
	}
}

// finishFees moves fees to the side of the usage that they paid for.
func (c *Cutter) finishFees() error {
	for _, v := range c.paid {
		fleet := atLeastZero(v.fleet)
		all := fleet.Add(atLeastZero(v.outside)).Add(atLeastZero(v.unused))
		if fleet.IsZero() {
			continue
		}
		share := new(big.Rat).Quo(fleet.Rat(), all.Rat())
		for key, billed := range v.fees {
			c.bases.follow(key, fine(billed, share))
		}
	}
	blocks := period.Interval{}
	for _, v := range c.prepaid {
		for _, f := range v.fees {
			p := c.plans[f.id]
			if p != nil {
				c.bases.follow(f.base, fine(f.billed, p.fleet))
				continue
			}
			if f.block == nil {
				continue
			}
			share, err := c.blockShare(f.block)
			if err != nil {
				return err
			}
			c.bases.follow(f.base, fine(f.billed, share))
			blocks = widen(blocks, f.period)
		}
	}
	for _, u := range c.uses {
		if u.others { // they may be split by the use of the block
			u.lives, u.end = widen(u.lives, blocks), widen(u.end, blocks)
		}
	}
	return nil
}

func (b bases) follow(key baseKey, units *big.Int) {
	v := b.of(key)
	v.follows.Add(&v.follows, units)
}

// blockShare is the share of a block that machines of the fleet used.
func (c *Cutter) blockShare(ch *ledger.Charge) (*big.Rat, error) {
	hours, err := c.blockHours(ch)
	if err != nil {
		return nil, err
	}
	total, used := new(big.Int), new(big.Int)
	one := pow10(fineDigits)
	for _, h := range hours {
		weight := new(big.Int).SetUint64(h.weight)
		total.Add(total, weight)
		ran, all := new(big.Int), new(big.Int)
		for _, p := range h.users {
			w := new(big.Int).SetUint64(p.weight)
			all.Add(all, w)
			if p.kind == ledger.PartCompute {
				ran.Add(ran, w)
			}
		}
		used.Add(used, ran.Mul(ran, weight).Mul(ran, one).Quo(ran, all))
	}
	return new(big.Rat).SetFrac(used, total.Mul(total, one)), nil
}
