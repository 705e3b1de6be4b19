package fleetsim

import (
	"math/big"
	"time"
)

// post is rule 8 for the whole bill, then for what it does not cover.
func (t *truth) post() {
	for _, c := range t.charges {
		switch c.rule {
		case ofMachine:
			t.compute(c, c.amounts)
		case attached:
			if c.node != nil {
				for _, p := range t.pieces(c) {
					t.whole(c, "shared", p.h, c.times(p.share))
				}
				continue
			}
			t.evenly(c, "shared", c.amounts)
		case elsewhere:
			t.whole(c, "non_gpu", c.from, c.amounts)
		case metered:
			t.evenly(c, "metered", c.amounts)
		case negation:
			t.negation(c)
		case fee:
			t.fee(c)
		case prepaid:
			t.perHour(c, "commitment_fee", c.amounts)
		case invoice, wide: // need all other lines first
		case splitRow: // evidence
		}
	}
	t.amortise()
	t.invoiceWide()
	t.provisional()
}

// fee is rule 8.7.
func (t *truth) fee(c *charge) {
	paid := c.amounts
	if paid.effective != nil {
		paid.effective = new(big.Rat)
	}
	t.evenly(c, "commitment_fee", paid)
	if c.effective != nil && c.effective.Sign() != 0 {
		unused := c.zeros()
		unused.effective = c.effective
		t.evenly(c, "commitment_unused", unused)
	}
}

// evenly posts a part over the hours of the charge's period.
func (t *truth) evenly(c *charge, part string, a amounts) {
	if c.to-c.from <= 3600 || c.to-c.from > longestSpread {
		t.whole(c, part, c.from, a)
		return
	}
	t.perHour(c, part, a)
}

// perHour is evenly over any length.
func (t *truth) perHour(c *charge, part string, a amounts) {
	for _, h := range hoursOf(c.from, c.to) {
		t.whole(c, part, h.at, a.times(big.NewRat(h.seconds, c.to-c.from)))
	}
}

// whole posts a part that no usage row receives.
func (t *truth) whole(c *charge, part string, at int64, a amounts) {
	p := t.posting(c, part, a)
	p.TruthKey = TruthKey{Hour: at / 3600 * 3600, Slot: -1, Slice: wholeDevice, Cause: part}
	p.Team = c.team
	if c.node != nil {
		p.Instance = c.node.instanceID
		if v := first(c.node.labels, "label_team"); v != "" && c.node.joined {
			p.Team = v
		}
	}
	if p.Team == "" {
		p.Team = "unowned"
	}
	t.out.Postings = append(t.out.Postings, p)
}

func (t *truth) posting(c *charge, part string, a amounts) TruthPosting {
	return TruthPosting{BillingPeriod: c.period, File: c.file, Line: c.line, LineItemID: c.id, Interval: c.interval, Part: part, Kind: "direct", Currency: c.currency,
		Effective: a.effective, Billed: a.billed, List: a.list, Contracted: a.contracted, Quality: "measured"}
}

// compute posts amounts the way the line is cut.
func (t *truth) compute(c *charge, a amounts) {
	for _, p := range t.pieces(c) {
		t.spread(c, "direct", p, a.times(p.share))
	}
}

// spread splits one part over the usage rows of the node-hour (8.3).
func (t *truth) spread(c *charge, kind string, p piece, a amounts) {
	share := new(big.Rat) // of the quantities, by billed seconds
	if p.seconds > 0 && kind == "direct" {
		share = big.NewRat(p.seconds, t.billedAt[p.nodeHour])
	}
	for _, r := range t.rows[p.nodeHour] {
		q := t.posting(c, "compute", a.times(new(big.Rat).Quo(r.Weight, t.device[p.nodeHour])))
		q.TruthKey, q.Team, q.Quality, q.Kind = r.TruthKey, r.Team, r.quality(), kind
		if p.pooled && q.Quality == "measured" {
			q.Quality = "estimated"
		}
		if share.Sign() > 0 {
			q.CapacityGPUHours = new(big.Rat).Mul(r.CapacityGPUHours, share)
			q.GPUHours = new(big.Rat).Mul(r.GPUHours, share)
			q.ActiveGPUHours = new(big.Rat).Mul(r.ActiveGPUHours, share)
			if r.EnergyKWh != nil {
				q.EnergyKWh = new(big.Rat).Mul(r.EnergyKWh, share)
			}
		}
		t.out.Postings = append(t.out.Postings, q)
	}
}

// negation is rule 8.6.
func (t *truth) negation(c *charge) {
	goes, lines, sum := t.negated(c)
	if c.billed.Sign() == 0 {
		return
	}
	part := new(big.Rat).Quo(goes, new(big.Rat).Neg(c.billed))
	for _, o := range lines {
		share := new(big.Rat).Mul(part, new(big.Rat).Quo(o.billed, sum))
		for _, p := range t.pieces(o) {
			p.seconds = 0
			t.spread(c, "direct", p, c.times(new(big.Rat).Mul(share, p.share)))
		}
	}
	if rest := new(big.Rat).Sub(big.NewRat(1, 1), part); rest.Sign() > 0 {
		t.whole(c, "commitment_fee", c.from, c.times(rest))
	}
}

// negated is how much of a negation its covered lines take, and which they are.
func (t *truth) negated(c *charge) (goes *big.Rat, lines []*charge, sum *big.Rat) {
	sum = new(big.Rat)
	for _, o := range t.charges {
		if o.covered && o.from == c.from && o.usageType == c.usageType && o.commitment == c.commitment {
			lines = append(lines, o)
			sum.Add(sum, o.billed)
		}
	}
	goes = new(big.Rat).Neg(c.billed)
	if goes.Cmp(sum) > 0 {
		goes.Set(sum)
	}
	return goes, lines, sum
}

// provisional is rules 8.12 to 8.14.
func (t *truth) provisional() {
	price := func(typ, class string) *big.Rat {
		for _, r := range t.rateCard() {
			if r.typ == typ && r.class == class {
				return decimal(r.hourly)
			}
		}
		if t.site.provider == owned && class == t.site.plannedClass && !t.cfg.Unbilled { // no rate: the last one on the bill
			return t.ownedCost(t.ownedUntil()-3600, t.ownedUntil())
		}
		return nil
	}
	part := func(hourly *big.Rat, seconds int64) *big.Rat {
		if hourly == nil {
			return nil
		}
		return round12(new(big.Rat).Mul(hourly, big.NewRat(seconds, 3600)))
	}
	for i, n := range t.world.nodes {
		nt := t.nodes[n]
		if nt.appeared == 0 {
			continue
		}
		class := t.out.Nodes[i].PriceClass
		for h := nt.appeared / 3600 * 3600; h < nt.gone; h += 3600 {
			nh := nodeHour{n, h}
			seen := max(0, min(h+3600, nt.gone)-max(h, nt.appeared))
			if seen == 0 || t.billedAt[nh] > 0 {
				continue
			}
			p := TruthPosting{Part: "provisional", Kind: "direct"}
			var a amounts
			assumed := false
			listed := part(price(n.typ.name, "on_demand"), seen)
			switch covered := h+3600 <= t.billTo && t.billed(n); {
			case covered:
			case t.inBlock[nh]: // paid at once
				a = amounts{new(big.Rat), new(big.Rat), listed, new(big.Rat)}
			default:
				p.InstanceType, p.Region, p.PriceClass = n.typ.name, t.site.region, class
				hourly := price(n.typ.name, class)
				if hourly == nil && !t.rules.Unpriced {
					if hourly = publicPrice(n.typ, class); hourly != nil {
						assumed, p.Currency = true, "USD"
					}
				}
				if cost := part(hourly, seen); cost != nil {
					a = amounts{cost, cost, listed, cost}
				}
			}
			for _, r := range t.rows[nh] {
				b := a.times(new(big.Rat).Quo(r.Weight, t.device[nh]))
				p.TruthKey, p.Team, p.Quality = r.TruthKey, r.Team, r.quality()
				if assumed {
					p.Quality = "assumed"
				}
				p.Effective, p.Billed, p.List, p.Contracted = b.effective, b.billed, b.list, b.contracted
				p.CapacityGPUHours, p.GPUHours, p.ActiveGPUHours = r.CapacityGPUHours, r.GPUHours, r.ActiveGPUHours
				p.EnergyKWh = r.EnergyKWh
				t.out.Postings = append(t.out.Postings, p)
			}
		}
	}
}

// round12 rounds to 1e-12, half away from zero.
func round12(r *big.Rat) *big.Rat { return decimal(r.FloatString(12)) }

// At is the hour of a key as a time.
func (k TruthKey) At() time.Time { return time.Unix(k.Hour, 0).UTC() }
