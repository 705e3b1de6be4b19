package fleetsim

import (
	"math/big"
	"strings"
	"time"
)

// amounts are the four measures of a line or part; nil is not carried.
type amounts struct{ effective, billed, list, contracted *big.Rat }

func (a amounts) times(f *big.Rat) amounts {
	m := func(x *big.Rat) *big.Rat {
		if x == nil {
			return nil
		}
		return new(big.Rat).Mul(x, f)
	}
	return amounts{m(a.effective), m(a.billed), m(a.list), m(a.contracted)}
}

// measures is the line rule of CUR 2.0.
func (l *billLine) measures() amounts {
	cost := ofDouble(l.cost)
	a := amounts{effective: cost, billed: cost, contracted: cost}
	if l.listCost != nil {
		a.list = ofDouble(*l.listCost)
	}
	switch l.kind {
	case "SavingsPlanCoveredUsage":
		a.effective = ofDouble(*l.effective)
	case "SavingsPlanNegation":
		a.effective, a.contracted = new(big.Rat), new(big.Rat)
	case "SavingsPlanRecurringFee":
		a.effective = new(big.Rat).Sub(ofDouble(*l.committed), ofDouble(*l.used))
		a.contracted = new(big.Rat)
	}
	return a
}

// compute reports whether the line bills machine time of a fleet node.
func (l *billLine) compute() bool {
	return l.node != nil && (strings.HasPrefix(l.usageType, "BoxUsage:") || strings.HasPrefix(l.usageType, "SpotUsage:"))
}

// byNode indexes the compute lines of at most an hour.
func (t *truth) byNode() map[nodeHour][]*billLine {
	if t.perHour == nil {
		t.perHour = map[nodeHour][]*billLine{}
		for _, l := range t.lines {
			if l.compute() && l.to-l.from <= 3600 {
				k := nodeHour{l.node, l.from}
				t.perHour[k] = append(t.perHour[k], l)
			}
		}
	}
	return t.perHour
}

// post is rule 8 for the whole bill, then for what it does not cover.
func (t *truth) post() {
	for _, l := range t.lines {
		a := l.measures()
		switch {
		case l.kind == "Tax": // needs all other lines first
		case l.kind == "SavingsPlanNegation":
			t.negation(l, a)
		case l.kind == "SavingsPlanRecurringFee":
			zero := new(big.Rat)
			t.flat(l, "commitment_fee", "commitment_fee", l.from, amounts{zero, a.billed, a.list, a.contracted})
			t.flat(l, "commitment_unused", "commitment_unused", l.from, amounts{a.effective, zero, zeroLike(a.list), zeroLike(a.contracted)})
		case l.compute():
			t.computeLine(l, a)
		case l.node != nil || l.product == "AmazonEKS":
			t.flat(l, "shared", "shared", l.from, a)
		default:
			t.flat(l, "non_gpu", "non_gpu", l.from, a)
		}
	}
	t.taxes()
	t.provisional()
}

func zeroLike(r *big.Rat) *big.Rat {
	if r == nil {
		return nil
	}
	return new(big.Rat)
}

// flat posts a part that no usage row receives.
func (t *truth) flat(l *billLine, part, cause string, at int64, a amounts) {
	p := t.posting(l, part, a)
	p.TruthKey = TruthKey{Hour: at / 3600 * 3600, Slot: -1, Slice: wholeDevice, Cause: cause}
	if l.node != nil {
		p.Instance = l.node.instanceID
	}
	if p.Team = l.tags["user_team"]; p.Team == "" {
		p.Team = "unowned"
	}
	t.out.Postings = append(t.out.Postings, p)
}

func (t *truth) posting(l *billLine, part string, a amounts) TruthPosting {
	return TruthPosting{BillingPeriod: l.period, File: l.file, Line: l.line, LineItemID: l.id(), Interval: l.interval(), Part: part,
		Effective: a.effective, Billed: a.billed, List: a.list, Contracted: a.contracted, Quality: "measured"}
}

// computeLine is rules 8.3 and 8.5.
func (t *truth) computeLine(l *billLine, a amounts) {
	if l.to-l.from <= 3600 {
		t.spread(l, nodeHour{l.node, l.from}, a)
		return
	}
	nt := t.nodes[l.node]
	up := map[int64]int64{}
	var total int64
	for h := l.from; h < l.to; h += 3600 {
		up[h] = max(0, min(h+3600, nt.gone)-max(h, nt.appeared))
		total += up[h]
	}
	for h := l.from; h < l.to; h += 3600 {
		share := big.NewRat(3600, l.to-l.from)
		if total > 0 {
			share = big.NewRat(up[h], total)
		}
		if share.Sign() > 0 {
			t.spread(l, nodeHour{l.node, h}, a.times(share))
		}
	}
}

// spread splits one part over the usage rows of the node-hour.
func (t *truth) spread(l *billLine, nh nodeHour, a amounts) {
	share := new(big.Rat) // of the quantities, by billed seconds
	if own := l.seconds(); own > 0 && l.to-l.from <= 3600 {
		share = big.NewRat(own, t.billedSecondsOf(nh.n, nh.h))
	}
	for _, r := range t.rows[nh] {
		p := t.posting(l, "compute", a.times(new(big.Rat).Quo(r.Weight, t.device[nh])))
		p.TruthKey, p.Team, p.Quality = r.TruthKey, r.Team, r.quality()
		if share.Sign() > 0 {
			p.CapacityGPUHours = new(big.Rat).Mul(r.CapacityGPUHours, share)
			p.GPUHours = new(big.Rat).Mul(r.GPUHours, share)
			p.ActiveGPUHours = new(big.Rat).Mul(r.ActiveGPUHours, share)
		}
		t.out.Postings = append(t.out.Postings, p)
	}
}

// negation is rule 8.6.
func (t *truth) negation(l *billLine, a amounts) {
	covered := new(big.Rat)
	var rows []*billLine
	for _, o := range t.lines {
		if o.kind == "SavingsPlanCoveredUsage" && o.from == l.from && o.usageType == l.usageType {
			rows = append(rows, o)
			covered.Add(covered, ofDouble(o.cost))
		}
	}
	whole := new(big.Rat).Neg(a.billed)
	goes := new(big.Rat).Set(whole)
	if goes.Cmp(covered) > 0 {
		goes.Set(covered)
	}
	if whole.Sign() == 0 {
		return
	}
	part := new(big.Rat).Quo(goes, whole)
	for _, o := range rows {
		share := new(big.Rat).Mul(part, new(big.Rat).Quo(ofDouble(o.cost), covered))
		t.spread(l, nodeHour{o.node, o.from}, a.times(share))
	}
	if rest := new(big.Rat).Sub(big.NewRat(1, 1), part); rest.Sign() > 0 {
		t.flat(l, "commitment_fee", "commitment_fee", l.from, a.times(rest))
	}
}

// taxes is rule 8.8.
func (t *truth) taxes() {
	type base struct{ fleet, other *big.Rat }
	bases := map[string]*base{}
	for _, l := range t.lines {
		if bases[l.period] == nil {
			bases[l.period] = &base{new(big.Rat), new(big.Rat)}
		}
		if l.kind == "Tax" {
			continue
		}
		b, cost := bases[l.period], ofDouble(l.cost)
		switch {
		case l.kind == "SavingsPlanRecurringFee":
			b.other.Add(b.other, cost)
		case l.kind == "SavingsPlanNegation" || l.compute() || l.node != nil || l.product == "AmazonEKS":
			b.fleet.Add(b.fleet, cost)
		default:
			b.other.Add(b.other, cost)
		}
	}
	for _, l := range t.lines {
		if l.kind != "Tax" {
			continue
		}
		b := bases[l.period]
		fleet, other := positive(b.fleet), positive(b.other)
		sum := new(big.Rat).Add(fleet, other)
		share := new(big.Rat)
		if sum.Sign() > 0 {
			share.Quo(fleet, sum)
		}
		hours := big.NewRat(3600, l.to-l.from)
		a := l.measures()
		shared := a.times(new(big.Rat).Mul(share, hours))
		rest := a.times(new(big.Rat).Mul(new(big.Rat).Sub(big.NewRat(1, 1), share), hours))
		for h := l.from; h < l.to; h += 3600 {
			t.flat(l, "shared", "shared", h, shared)
			t.flat(l, "non_gpu", "non_gpu", h, rest)
		}
	}
}

func positive(r *big.Rat) *big.Rat {
	if r.Sign() < 0 {
		return new(big.Rat)
	}
	return r
}

// provisional is rules 8.12 to 8.14.
func (t *truth) provisional() {
	price := func(typ, class string) *big.Rat {
		for _, r := range rates() {
			if r.typ == typ && r.class == class {
				return decimal(r.hourly)
			}
		}
		return nil
	}
	for i, n := range t.world.nodes {
		nt := t.nodes[n]
		if nt.appeared == 0 {
			continue
		}
		class := t.out.Nodes[i].PriceClass
		for h := nt.appeared / 3600 * 3600; h < nt.gone; h += 3600 {
			if h+3600 <= t.billTo {
				t.unbilled(nodeHour{n, h})
				continue
			}
			seen := max(0, min(h+3600, nt.gone)-max(h, nt.appeared))
			nh := nodeHour{n, h}
			if seen == 0 || t.rows[nh] == nil {
				continue
			}
			part := big.NewRat(seen, 3600)
			cost := round12(new(big.Rat).Mul(part, price(n.typ.name, class)))
			list := round12(new(big.Rat).Mul(part, price(n.typ.name, "on_demand")))
			for _, r := range t.rows[nh] {
				f := new(big.Rat).Quo(r.Weight, t.device[nh])
				p := TruthPosting{TruthKey: r.TruthKey, Part: "provisional", InstanceType: n.typ.name, Region: region, PriceClass: class, Team: r.Team, Quality: r.quality(),
					Effective: new(big.Rat).Mul(cost, f), Billed: new(big.Rat).Mul(cost, f), List: new(big.Rat).Mul(list, f), Contracted: new(big.Rat).Mul(cost, f),
					CapacityGPUHours: r.CapacityGPUHours, GPUHours: r.GPUHours, ActiveGPUHours: r.ActiveGPUHours}
				t.out.Postings = append(t.out.Postings, p)
			}
		}
	}
}

// unbilled is rule 8.14: a covered hour without a line has quantities and no
// costs.
func (t *truth) unbilled(nh nodeHour) {
	if len(t.byNode()[nh]) > 0 {
		return
	}
	for _, r := range t.rows[nh] {
		t.out.Postings = append(t.out.Postings, TruthPosting{TruthKey: r.TruthKey, Part: "provisional", Team: r.Team, Quality: r.quality(),
			CapacityGPUHours: r.CapacityGPUHours, GPUHours: r.GPUHours, ActiveGPUHours: r.ActiveGPUHours})
	}
}

// round12 rounds to 1e-12, half away from zero.
func round12(r *big.Rat) *big.Rat { return decimal(r.FloatString(12)) }

// At is the hour of a key as a time.
func (k TruthKey) At() time.Time { return time.Unix(k.Hour, 0).UTC() }
