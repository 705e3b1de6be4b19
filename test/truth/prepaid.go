package truth

import (
	"cmp"
	"math/big"
	"slices"

	"gpuledger/internal/fleetsim/bills"
	"gpuledger/internal/fleetsim/world"
)

// amortise is rule 8.15: pairs that move the effective cost of prepaid lines to the machines that they serve.
func (t *truth) amortise() {
	type key struct {
		billing, period, currency, commitment string
		from, to                              int64
	}
	groups := map[key][]*bills.Charge{}
	var order []key
	for _, c := range t.charges {
		if c.Rule != bills.Prepaid || c.Effective == nil || c.Effective.Sign() == 0 {
			continue
		}
		k := key{c.Billing, c.Period, c.Currency, c.Commitment, c.From, c.To}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], c)
	}
	for _, k := range order {
		lines, credits := []*bills.Charge{}, new(big.Rat)
		for _, o := range t.charges {
			if o.Credit != nil && agree(o, groups[k][0]) && o.Billing == k.billing && o.Period == k.period &&
				o.Currency == k.currency &&
				k.from <= o.From && o.From < k.to {
				lines = append(lines, o)
				credits.Add(credits, o.Credit)
			}
		}
		switch {
		case len(lines) > 0:
			t.byCredit(groups[k], lines, credits)
		case groups[k][0].Block != nil:
			for _, c := range groups[k] {
				t.block(c)
			}
		}
	}
}

// agree: a credit belongs to the fee's commitment, or one of them names none and both are in one region.
func agree(credit, fee *bills.Charge) bool {
	return credit.Commitment == fee.Commitment || (credit.Commitment == "" || fee.Commitment == "") &&
		credit.Region == fee.Region
}

// byCredit is 8.15 (a).
func (t *truth) byCredit(fees, lines []*bills.Charge, credits *big.Rat) {
	cost := new(big.Rat)
	for _, c := range fees {
		cost.Add(cost, c.Effective)
	}
	part := big.NewRat(1, 1) // of each fee that is given away
	if cost.Cmp(credits) > 0 {
		part.Quo(credits, cost)
	}
	for _, c := range fees {
		given := new(big.Rat).Mul(c.Effective, part)
		for _, o := range lines {
			amount := new(big.Rat).Mul(given, new(big.Rat).Quo(o.Credit, credits))
			if o.Rule != bills.OfMachine {
				t.pair(c, o.From, amount)
				t.moved(c, "non_gpu", o.From, amount)
				continue
			}
			for _, p := range t.pieces(o) {
				to := new(big.Rat).Mul(amount, p.share)
				t.pair(c, p.h, to)
				t.serve(c, to)
				t.spread(c, "amortise", p, bills.Amounts{Effective: to})
			}
		}
		t.unused(c, new(big.Rat).Sub(c.Effective, given))
	}
}

func (t *truth) unused(c *bills.Charge, rest *big.Rat) {
	for _, h := range bills.HoursOf(c.From, c.To) {
		amount := new(big.Rat).Mul(rest, big.NewRat(h.Seconds, c.To-c.From))
		t.pair(c, h.At, amount)
		t.moved(c, "commitment_unused", h.At, amount)
	}
}

// pair takes an amount from the fee in the hour of service.
func (t *truth) pair(c *bills.Charge, at int64, amount *big.Rat) {
	t.moved(c, "commitment_fee", at, new(big.Rat).Neg(amount))
}

// serve records how much of a prepaid line went to machines of the fleet.
func (t *truth) serve(c *bills.Charge, amount *big.Rat) {
	if t.served[c] == nil {
		t.served[c] = new(big.Rat)
	}
	t.served[c].Add(t.served[c], amount)
}

func (t *truth) moved(c *bills.Charge, part string, at int64, amount *big.Rat) {
	t.whole(c, part, at, bills.Amounts{Effective: amount})
	t.out.Postings[len(t.out.Postings)-1].Kind = "amortise"
}

// block is 8.15 (b).
func (t *truth) block(c *bills.Charge) {
	hours := bills.HoursOf(c.From, c.To)
	for _, h := range hours {
		amount := new(big.Rat).Mul(c.Effective, big.NewRat(h.Seconds, c.To-c.From))
		type user struct {
			n  *world.Node
			up int64
		}
		var users []user
		var up int64
		for _, n := range t.World.Nodes {
			nt := t.nodes[n]
			if s := min(h.At+3600, nt.gone) - max(h.At, nt.appeared); n.Type == c.Block && nt.appeared != 0 && s > 0 &&
				(c.Zone == "" || n.Zone == c.Zone) {
				users = append(users, user{n, s})
				up += s
			}
		}
		capacity := max(up, c.Seconds*h.Seconds/(c.To-c.From))
		if capacity == 0 && h.At+3600 > t.factsEnd {
			continue
		}
		slices.SortFunc(users, func(a, b user) int { return cmp.Compare(a.n.Idx, b.n.Idx) })
		rest := new(big.Rat).Set(amount)
		for _, u := range users {
			to := new(big.Rat).Mul(amount, big.NewRat(u.up, capacity))
			rest.Sub(rest, to)
			t.pair(c, h.At, to)
			t.serve(c, to)
			t.spread(c, "amortise", piece{nodeHour: nodeHour{u.n, h.At}}, bills.Amounts{Effective: to})
			t.inBlock[nodeHour{u.n, h.At}] = true
		}
		if h.At+3600 <= t.factsEnd && rest.Sign() != 0 {
			t.pair(c, h.At, rest)
			t.moved(c, "commitment_unused", h.At, rest)
		}
	}
}
