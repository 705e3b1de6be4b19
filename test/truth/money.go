package truth

import (
	"math/big"
	"time"

	"gpuledger/internal/fleetsim/bills"
	"gpuledger/internal/fleetsim/world"
)

// post is rule 8 for the whole bill, then for uncovered hours.
func (t *truth) post() {
	for _, c := range t.charges {
		switch c.Rule {
		case bills.OfMachine:
			t.compute(c, c.Amounts)
		case bills.Attached:
			if c.Node != nil {
				for _, p := range t.pieces(c) {
					t.whole(c, "shared", p.h, c.Times(p.share))
				}
				continue
			}
			t.evenly(c, "shared", c.Amounts)
		case bills.Elsewhere:
			t.whole(c, "non_gpu", c.From, c.Amounts)
		case bills.Metered:
			t.evenly(c, "metered", c.Amounts)
		case bills.Negation:
			t.negation(c)
		case bills.Fee:
			t.fee(c)
		case bills.Prepaid:
			t.perHour(c, "commitment_fee", c.Amounts)
		case bills.Invoice, bills.Wide: // need all other lines first
		case bills.SplitRow: // evidence
		}
	}
	t.amortise()
	t.invoiceWide()
	t.provisional()
}

// fee is rule 8.7.
func (t *truth) fee(c *bills.Charge) {
	paid := c.Amounts
	if paid.Effective != nil {
		paid.Effective = new(big.Rat)
	}
	t.evenly(c, "commitment_fee", paid)
	if c.Effective != nil && c.Effective.Sign() != 0 {
		unused := c.Zeros()
		unused.Effective = c.Effective
		t.evenly(c, "commitment_unused", unused)
	}
}

// evenly posts a part over the hours of the charge's period.
func (t *truth) evenly(c *bills.Charge, part string, a bills.Amounts) {
	if c.To-c.From <= 3600 || c.To-c.From > longestSpread {
		t.whole(c, part, c.From, a)
		return
	}
	t.perHour(c, part, a)
}

// perHour is evenly over any length.
func (t *truth) perHour(c *bills.Charge, part string, a bills.Amounts) {
	for _, h := range bills.HoursOf(c.From, c.To) {
		t.whole(c, part, h.At, a.Times(big.NewRat(h.Seconds, c.To-c.From)))
	}
}

// whole posts a part that goes to no usage row.
func (t *truth) whole(c *bills.Charge, part string, at int64, a bills.Amounts) {
	p := t.posting(c, part, a)
	p.Key = Key{Hour: at / 3600 * 3600, Slot: -1, Slice: world.WholeDevice, Cause: part}
	p.Team = c.Team
	if c.Node != nil {
		p.Instance = c.Node.InstanceID
		if v := world.FirstLabel(c.Node.Labels, "label_team"); v != "" && c.Node.Joined {
			p.Team = v
		}
	}
	if p.Team == "" {
		p.Team = "unowned"
	}
	t.out.Postings = append(t.out.Postings, p)
}

func (t *truth) posting(c *bills.Charge, part string, a bills.Amounts) Posting {
	return Posting{BillingPeriod: c.Period, File: c.File, Line: c.Line, LineItemID: c.ID, Interval: c.Interval, Part: part,
		Kind: "direct", Currency: c.Currency,
		Effective: a.Effective, Billed: a.Billed, List: a.List, Contracted: a.Contracted, Quality: "measured"}
}

// compute posts amounts along the cut of the line.
func (t *truth) compute(c *bills.Charge, a bills.Amounts) {
	for _, p := range t.pieces(c) {
		t.spread(c, "direct", p, a.Times(p.share))
	}
}

// spread splits one part over the usage rows of the node-hour (8.3).
func (t *truth) spread(c *bills.Charge, kind string, p piece, a bills.Amounts) {
	share := new(big.Rat) // of the quantities, by billed seconds
	if p.seconds > 0 && kind == "direct" {
		share = big.NewRat(p.seconds, t.billedAt[p.nodeHour])
	}
	for _, r := range t.rows[p.nodeHour] {
		q := t.posting(c, "compute", a.Times(new(big.Rat).Quo(r.Weight, t.device[p.nodeHour])))
		q.Key, q.Team, q.Quality, q.Kind = r.Key, r.Team, r.quality(), kind
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
func (t *truth) negation(c *bills.Charge) {
	goes, lines, sum := t.negated(c)
	if c.Billed.Sign() == 0 {
		return
	}
	part := new(big.Rat).Quo(goes, new(big.Rat).Neg(c.Billed))
	for _, o := range lines {
		share := new(big.Rat).Mul(part, new(big.Rat).Quo(o.Billed, sum))
		for _, p := range t.pieces(o) {
			p.seconds = 0
			t.spread(c, "direct", p, c.Times(new(big.Rat).Mul(share, p.share)))
		}
	}
	if rest := new(big.Rat).Sub(big.NewRat(1, 1), part); rest.Sign() > 0 {
		t.whole(c, "commitment_fee", c.From, c.Times(rest))
	}
}

// negated is how much of a negation its covered lines take, and which lines these are.
func (t *truth) negated(c *bills.Charge) (goes *big.Rat, lines []*bills.Charge, sum *big.Rat) {
	sum = new(big.Rat)
	for _, o := range t.charges {
		if o.Covered && o.From == c.From && o.UsageType == c.UsageType && o.Commitment == c.Commitment {
			lines = append(lines, o)
			sum.Add(sum, o.Billed)
		}
	}
	goes = new(big.Rat).Neg(c.Billed)
	if goes.Cmp(sum) > 0 {
		goes.Set(sum)
	}
	return goes, lines, sum
}

// provisional is rules 8.12 to 8.14.
func (t *truth) provisional() {
	price := func(typ, class string) *big.Rat {
		for _, r := range bills.RateCard(t.World) {
			if r.Type == typ && r.Class == class {
				return world.Decimal(r.Hourly)
			}
		}
		// no rate: the last one on the bill
		if t.Site.Provider == world.Owned && class == t.Site.PlannedClass && !t.Config.Unbilled {
			return bills.OwnedCost(t.World, bills.OwnedUntil(t.World)-3600, bills.OwnedUntil(t.World))
		}
		return nil
	}
	part := func(hourly *big.Rat, seconds int64) *big.Rat {
		if hourly == nil {
			return nil
		}
		return world.Round12(new(big.Rat).Mul(hourly, big.NewRat(seconds, 3600)))
	}
	for i, n := range t.World.Nodes {
		nt := t.nodes[n]
		if nt.appeared == 0 {
			continue
		}
		class := t.out.Nodes[i].PriceClass
		for h := nt.appeared / 3600 * 3600; h < nt.gone; h += 3600 {
			nh := nodeHour{n, h}
			appeared, gone := nt.lifeOn(h)
			seen := max(0, min(h+3600, gone)-max(h, appeared))
			if seen == 0 || t.billedAt[nh] > 0 {
				continue
			}
			p := Posting{Part: "provisional", Kind: "direct"}
			var a bills.Amounts
			assumed := false
			listed := part(price(n.Type.Name, "on_demand"), seen)
			switch covered := h+3600 <= t.BillTo && t.Billed(n); {
			case covered:
			case t.inBlock[nh]: // paid in advance
				a = bills.Amounts{Effective: new(big.Rat), Billed: new(big.Rat), List: listed, Contracted: new(big.Rat)}
			default:
				p.InstanceType, p.Region, p.PriceClass = n.Type.Name, t.Site.Region, class
				hourly := price(n.Type.Name, class)
				if hourly == nil && !t.rules.Unpriced {
					if hourly = bills.PublicPrice(n.Type, class); hourly != nil {
						assumed, p.Currency = true, "USD"
					}
				}
				if cost := part(hourly, seen); cost != nil {
					a = bills.Amounts{Effective: cost, Billed: cost, List: listed, Contracted: cost}
				}
			}
			for _, r := range t.rows[nh] {
				b := a.Times(new(big.Rat).Quo(r.Weight, t.device[nh]))
				p.Key, p.Team, p.Quality = r.Key, r.Team, r.quality()
				if assumed {
					p.Quality = "assumed"
				}
				p.Effective, p.Billed, p.List, p.Contracted = b.Effective, b.Billed, b.List, b.Contracted
				p.CapacityGPUHours, p.GPUHours, p.ActiveGPUHours = r.CapacityGPUHours, r.GPUHours, r.ActiveGPUHours
				p.EnergyKWh = r.EnergyKWh
				t.out.Postings = append(t.out.Postings, p)
			}
		}
	}
}

// At is the hour of a key as a time.
func (k Key) At() time.Time { return time.Unix(k.Hour, 0).UTC() }
