package truth

import (
	"math/big"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/bills"
	"gpuledger/internal/fleetsim/world"
)

// onDemandPrices are the on-demand costs of a cluster's spot machine-hours (docs/figures.md, 15.4), from the lines of
// its bill.
type onDemandPrices struct {
	*truth
	hours, days map[machineKind]map[int64]*machineTime // of on-demand machines
	listed      map[nodeHour]bool                      // all lines that count machine time have a public price
}

type machineKind struct{ account, typ, currency string }

// machineTime is contracted cost over seconds of machines.
type machineTime struct {
	cost    *big.Rat
	seconds int64
}

func (t *truth) onDemandPrices() *onDemandPrices {
	o := &onDemandPrices{
		truth: t, hours: map[machineKind]map[int64]*machineTime{},
		days: map[machineKind]map[int64]*machineTime{}, listed: map[nodeHour]bool{},
	}
	type lines struct {
		machineTime
		kind   machineKind
		other  bool // a commitment or another price class covers some
		states bool // a contracted cost
	}
	at := map[nodeHour]*lines{}
	for _, c := range t.charges {
		if c.Rule != bills.OfMachine {
			continue
		}
		for _, p := range t.pieces(c) {
			l := at[p.nodeHour]
			if l == nil {
				l = &lines{machineTime: machineTime{cost: new(big.Rat)}, kind: machineKind{c.Account, p.n.Type.Name, c.Currency}}
				at[p.nodeHour] = l
			}
			l.other = l.other || c.Covered || c.Bought != "" && c.Bought != "on_demand"
			if c.Contracted != nil {
				l.states = true
				l.seconds += p.seconds
				l.cost.Add(l.cost, new(big.Rat).Mul(c.Contracted, p.share))
			}
			if p.seconds > 0 {
				states, seen := o.listed[p.nodeHour]
				o.listed[p.nodeHour] = (states || !seen) && c.List != nil && c.List.Sign() > 0
			}
		}
	}
	for nh, l := range at {
		if l.other || !l.states || t.PriceClass(nh.n) != "on_demand" {
			continue
		}
		o.put(o.hours, l.kind, nh.h, l.machineTime)
		o.put(o.days, l.kind, nh.h/86400, l.machineTime)
	}
	return o
}

func (o *onDemandPrices) put(sums map[machineKind]map[int64]*machineTime, k machineKind, at int64, m machineTime) {
	if sums[k] == nil {
		sums[k] = map[int64]*machineTime{}
	}
	if sums[k][at] == nil {
		sums[k][at] = &machineTime{cost: new(big.Rat)}
	}
	sum := sums[k][at]
	sum.cost.Add(sum.cost, m.cost)
	sum.seconds += m.seconds
}

func (m *machineTime) priced() bool { return m != nil && m.seconds > 0 && m.cost.Sign() > 0 }

// nearestDay is the nearest day with a price, the earlier one on a tie.
func (o *onDemandPrices) nearestDay(k machineKind, day int64) (m *machineTime) {
	first, last := day, day
	for d, x := range o.days[k] {
		if x.priced() {
			first, last = min(first, d), max(last, d)
		}
	}
	for away := int64(1); day-away >= first || day+away <= last; away++ {
		for _, d := range []int64{day - away, day + away} {
			if x := o.days[k][d]; x.priced() {
				return x
			}
		}
	}
	return nil
}

// of is the on-demand cost of a spot machine's posting, for the GPU-hours that it counts; nil if it is unknown.
func (o *onDemandPrices) of(p *Posting, n *world.Node, gpuHours *big.Rat) *big.Rat {
	if p.Effective == nil {
		return nil
	}
	times := func(hourly *big.Rat) *big.Rat {
		if gpuHours == nil {
			return new(big.Rat)
		}
		return new(big.Rat).Mul(hourly, new(big.Rat).Quo(gpuHours, big.NewRat(int64(len(n.Devices)), 1)))
	}
	k := machineKind{o.Site.Account, n.Type.Name, o.Site.Currency}
	for _, m := range []*machineTime{o.hours[k][p.Hour], o.days[k][p.Hour/86400], o.nearestDay(k, p.Hour/86400)} {
		if m.priced() {
			return times(world.Round12(new(big.Rat).Mul(m.cost, big.NewRat(3600, m.seconds))))
		}
	}
	if o.Site.Provider == world.AWS && p.Part == "compute" && o.listed[nodeHour{n, p.Hour}] {
		switch {
		case p.List != nil:
			return p.List
		case gpuHours == nil:
			return new(big.Rat)
		}
		return nil
	}
	for _, r := range bills.RateCard(o.truth.World) {
		if r.Type == n.Type.Name && r.Class == "on_demand" {
			return times(world.Decimal(r.Hourly))
		}
	}
	// with a price of another region
	if hourly, ok := bills.PublicPrices[n.Type.Name]; ok && o.Site.Provider != world.Azure {
		return times(world.Decimal(hourly))
	}
	return nil
}

// onDemandPricesOf is the on-demand price of any posting of a run: for spot machines as above; for others the list
// price of the bill, or the price book's if the bill has none for time charged before it.
func onDemandPricesOf(f *fleetsim.Fleet) onDemandPrice {
	type machine struct {
		*world.Node
		spot   bool
		prices *onDemandPrices
	}
	machines := map[string]machine{}
	for _, t := range truths(f) {
		o := t.onDemandPrices()
		for _, n := range t.World.Nodes {
			machines[n.InstanceID] = machine{n, t.PriceClass(n) == "spot", o}
		}
	}
	return func(p *Posting) *big.Rat {
		m := machines[p.Instance]
		if m.spot && p.Slot >= 0 {
			return m.prices.of(p, m.Node, p.GPUHours)
		}
		if p.GPUHours == nil || p.List != nil && (p.List.Sign() != 0 || p.Effective.Sign() == 0) {
			return p.List
		}
		if p.Part == "provisional" {
			for _, r := range bills.RateCard(m.prices.truth.World) {
				if r.Type == m.Type.Name && r.Class == "on_demand" {
					return new(big.Rat).Mul(world.Decimal(r.Hourly),
						new(big.Rat).Quo(p.GPUHours, big.NewRat(int64(len(m.Devices)), 1)))
				}
			}
		}
		return nil
	}
}
