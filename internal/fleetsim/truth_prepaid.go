package fleetsim

import (
	"cmp"
	"math/big"
	"slices"
)

// amortise is rule 8.15: pairs that move the effective cost of prepaid lines
// to whom they serve.
func (t *truth) amortise() {
	type key struct {
		billing, period, currency, commitment string
		from, to                              int64
	}
	groups := map[key][]*charge{}
	var order []key
	for _, c := range t.charges {
		if c.rule != prepaid || c.effective == nil || c.effective.Sign() == 0 {
			continue
		}
		k := key{c.billing, c.period, c.currency, c.commitment, c.from, c.to}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], c)
	}
	for _, k := range order {
		lines, credits := []*charge{}, new(big.Rat)
		for _, o := range t.charges {
			if o.credit != nil && agree(o, groups[k][0]) && o.billing == k.billing && o.period == k.period && o.currency == k.currency &&
				k.from <= o.from && o.from < k.to {
				lines = append(lines, o)
				credits.Add(credits, o.credit)
			}
		}
		switch {
		case len(lines) > 0:
			t.byCredit(groups[k], lines, credits)
		case groups[k][0].block != nil:
			for _, c := range groups[k] {
				t.block(c)
			}
		}
	}
}

// agree: a credit is of the fee's commitment, or one of them names none and
// both are of one region.
func agree(credit, fee *charge) bool {
	return credit.commitment == fee.commitment || (credit.commitment == "" || fee.commitment == "") && credit.region == fee.region
}

// byCredit is 8.15 (a).
func (t *truth) byCredit(fees, lines []*charge, credits *big.Rat) {
	cost := new(big.Rat)
	for _, c := range fees {
		cost.Add(cost, c.effective)
	}
	part := big.NewRat(1, 1) // of each fee that is given away
	if cost.Cmp(credits) > 0 {
		part.Quo(credits, cost)
	}
	for _, c := range fees {
		given := new(big.Rat).Mul(c.effective, part)
		for _, o := range lines {
			amount := new(big.Rat).Mul(given, new(big.Rat).Quo(o.credit, credits))
			if o.rule != ofMachine {
				t.pair(c, o.from, amount)
				t.moved(c, "non_gpu", o.from, amount)
				continue
			}
			for _, p := range t.pieces(o) {
				to := new(big.Rat).Mul(amount, p.share)
				t.pair(c, p.h, to)
				t.spread(c, "amortise", p, amounts{effective: to})
			}
		}
		t.unused(c, new(big.Rat).Sub(c.effective, given))
	}
}

func (t *truth) unused(c *charge, rest *big.Rat) {
	for _, h := range hoursOf(c.from, c.to) {
		amount := new(big.Rat).Mul(rest, big.NewRat(h.seconds, c.to-c.from))
		t.pair(c, h.at, amount)
		t.moved(c, "commitment_unused", h.at, amount)
	}
}

// pair takes an amount from the fee in the hour of service.
func (t *truth) pair(c *charge, at int64, amount *big.Rat) {
	t.moved(c, "commitment_fee", at, new(big.Rat).Neg(amount))
}

func (t *truth) moved(c *charge, part string, at int64, amount *big.Rat) {
	t.whole(c, part, at, amounts{effective: amount})
	t.out.Postings[len(t.out.Postings)-1].Kind = "amortise"
}

// block is 8.15 (b).
func (t *truth) block(c *charge) {
	hours := hoursOf(c.from, c.to)
	for _, h := range hours {
		amount := new(big.Rat).Mul(c.effective, big.NewRat(h.seconds, c.to-c.from))
		type user struct {
			n  *node
			up int64
		}
		var users []user
		var up int64
		for _, n := range t.world.nodes {
			nt := t.nodes[n]
			if s := min(h.at+3600, nt.gone) - max(h.at, nt.appeared); n.typ == c.block && nt.appeared != 0 && s > 0 && (c.zone == "" || n.zone == c.zone) {
				users = append(users, user{n, s})
				up += s
			}
		}
		capacity := max(up, c.seconds*h.seconds/(c.to-c.from))
		if capacity == 0 && h.at+3600 > t.factsEnd {
			continue
		}
		slices.SortFunc(users, func(a, b user) int { return cmp.Compare(a.n.idx, b.n.idx) })
		rest := new(big.Rat).Set(amount)
		for _, u := range users {
			to := new(big.Rat).Mul(amount, big.NewRat(u.up, capacity))
			rest.Sub(rest, to)
			t.pair(c, h.at, to)
			t.spread(c, "amortise", piece{nodeHour: nodeHour{u.n, h.at}}, amounts{effective: to})
			t.inBlock[nodeHour{u.n, h.at}] = true
		}
		if h.at+3600 <= t.factsEnd && rest.Sign() != 0 {
			t.pair(c, h.at, rest)
			t.moved(c, "commitment_unused", h.at, rest)
		}
	}
}
