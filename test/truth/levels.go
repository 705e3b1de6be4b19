package truth

import (
	"cmp"
	"fmt"
	"math/big"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/bills"
	"gpuledger/internal/fleetsim/world"
)

// LevelKey names machines of a type that a class of work (training, serving) held on demand; without a class: all
// on-demand machines.
type LevelKey struct{ Provider, Type, Region, Currency, Work string }

// Levels is how many machines were held, hour by hour (docs/figures.md, 19.4),
// from an instant on.
func Levels(f *fleetsim.Fleet, since int64) map[LevelKey]map[int64]*big.Rat {
	return levelsOf(f, since).hours
}

// levelTruth is the on-demand machines hour by hour; work "" is all of it.
type levelTruth struct {
	hours map[LevelKey]map[int64]*big.Rat // machines
	cost  map[LevelKey]*big.Rat           // of all work
	first map[string]int64                // billed hours, by provider
	last  map[string]int64
	book  map[LevelKey]*big.Rat // lowest rate with a commitment ÷ that on demand
}

// committed advises commitments (docs/figures.md, 19.4): as many machines of a type as a class of work held at work in
// enough of the hours.
func committed(f *fleetsim.Fleet, demands map[DemandKey]*Demand, since int64, out map[AdviceKey]*Advice) {
	type kin struct{ name, currency string }
	paid, worth := map[kin]*big.Rat{}, map[kin]*big.Rat{}
	for k, d := range demands {
		x := kin{k.Family, k.Currency}
		paid[x], worth[x] = sum(paid[x], d.Covered), sum(worth[x], d.Worth)
	}
	l := levelsOf(f, since)
	for all := range l.hours {
		x := kin{family(all.Type), all.Currency}
		if all.Work != "" {
			continue
		}
		kept := l.book[all] // the cost of a committed hour relative to one on demand
		if worth[x] != nil && paid[x].Sign() > 0 && worth[x].Sign() > 0 {
			kept = new(big.Rat).Quo(paid[x], worth[x])
		}
		if kept == nil || kept.Cmp(big.NewRat(1, 1)) >= 0 {
			continue
		}
		first := l.last[all.Provider]
		for at, n := range l.hours[all] {
			if n.Sign() > 0 {
				first = min(first, at)
			}
		}
		hours := (l.last[all.Provider]-first)/3600 + 1
		there := map[int64]bool{}
		for at := first; at <= l.last[all.Provider]; at += 3600 {
			there[at] = true
		}
		most, machineHours := int64(0), new(big.Rat)
		for at, n := range l.hours[all] {
			machineHours.Add(machineHours, n)
			if at > l.last[all.Provider]-aDay {
				most = max(most, whole(n))
			}
		}
		rate := new(big.Rat).Quo(l.cost[all], machineHours)
		for _, work := range []string{"serving", "training"} {
			of := all
			of.Work = work
			best := int64(0)
			for n := int64(1); n <= most; n++ { // one by one, until too few hours had so many
				held := int64(0)
				for _, m := range l.hours[of] {
					if m.Cmp(big.NewRat(n, 1)) >= 0 {
						held++
					}
				}
				if big.NewRat(held, hours).Cmp(kept) < 0 {
					break
				}
				best = n
			}
			if best == 0 {
				continue
			}
			onDemand, unused := new(big.Rat), big.NewRat(best*hours, 1)
			for _, m := range l.hours[of] {
				m = inMillionths(m)
				onDemand.Add(onDemand, smaller(m, big.NewRat(best, 1)))
				unused.Sub(unused, smaller(new(big.Rat).Mul(m, big.NewRat(4, 5)), big.NewRat(best, 1)))
			}
			cost := onDemand.Mul(onDemand, rate)
			committed := new(big.Rat).Mul(rate, kept)
			saved := new(big.Rat).Sub(cost, new(big.Rat).Mul(committed, big.NewRat(best*hours, 1)))
			if saved.Sign() <= 0 {
				continue
			}
			most -= best
			out[AdviceKey{"commit", of.Type + "/" + work, "", of.Currency}] = &Advice{Cost: cost, Machines: best,
				Monthly: saved, There: there, Hours: hours,
				Stranded: unused.Mul(unused, committed.Mul(committed, big.NewRat(730, hours)))}
		}
	}
}

// levelsOf sums the on-demand machines that were held at work.
func levelsOf(f *fleetsim.Fleet, since int64) *levelTruth {
	l := &levelTruth{
		hours: map[LevelKey]map[int64]*big.Rat{}, cost: map[LevelKey]*big.Rat{},
		first: map[string]int64{}, last: map[string]int64{}, book: map[LevelKey]*big.Rat{},
	}
	for _, t := range truths(f) {
		machines, classes := map[string]*world.Node{}, map[string]string{}
		for _, n := range t.World.Nodes {
			machines[n.InstanceID] = n
		}
		for _, h := range t.held {
			classes[h.p.UID] = classOf(h.p)
		}
		lines := t.lines()
		for i := range t.out.Postings {
			p := &t.out.Postings[i]
			if p.Part != "compute" || p.Hour < since {
				continue
			}
			c, n := lines[linePlace{p.BillingPeriod, p.File, p.Line}], machines[p.Instance]
			if n == nil || p.Kind != "amortise" && c.Bought != "covered" && c.Bought != "on_demand" {
				continue
			}
			provider := fmt.Sprint(t.Site.Provider)
			if at, ok := l.first[provider]; !ok || p.Hour < at {
				l.first[provider] = p.Hour
			}
			l.last[provider] = max(l.last[provider], p.Hour)
			if p.Kind == "amortise" || c.Bought != "on_demand" {
				continue
			}
			k := LevelKey{provider, n.Type.Name, t.Site.Region, cmp.Or(p.Currency, t.Site.Currency), ""}
			if p.Effective != nil {
				l.cost[k] = sum(l.cost[k], p.Effective)
			}
			l.add(k, p.Hour, p.CapacityGPUHours, n)
			if l.book[k] == nil {
				l.book[k] = t.booked(k.Type)
			}
			switch {
			case p.PodUID == "" || p.Cause == "held_idle" || p.Cause == "overhead":
				continue
			case classes[p.PodUID] == "run":
				k.Work = "training"
			case classes[p.PodUID] == "service":
				k.Work = "serving"
			default:
				continue
			}
			l.add(k, p.Hour, p.GPUHours, n)
		}
	}
	return l
}

// booked is the lowest rate of a type with a commitment ÷ that on demand; nil if the price book lacks one of them.
func (t *truth) booked(typ string) *big.Rat {
	var onDemand, committed *big.Rat
	for _, r := range bills.RateCard(t.World) {
		hourly := world.Decimal(r.Hourly)
		switch {
		case r.Type != typ:
		case r.Class == "on_demand":
			onDemand = hourly
		case (r.Class == "savings_plan" || r.Class == "reserved") && (committed == nil || hourly.Cmp(committed) < 0):
			committed = hourly
		}
	}
	if onDemand == nil || committed == nil {
		return nil
	}
	return new(big.Rat).Quo(committed, onDemand)
}

func (l *levelTruth) add(k LevelKey, hour int64, gpuHours *big.Rat, n *world.Node) {
	if gpuHours == nil {
		return
	}
	if l.hours[k] == nil {
		l.hours[k] = map[int64]*big.Rat{}
	}
	l.hours[k][hour] = sum(l.hours[k][hour], new(big.Rat).Quo(gpuHours, big.NewRat(int64(n.Type.GPUs), 1)))
}

// inMillionths rounds machines down to millionths.
func inMillionths(r *big.Rat) *big.Rat {
	const million = 1_000_000
	return big.NewRat(whole(new(big.Rat).Mul(r, big.NewRat(million, 1))), million)
}

func whole(r *big.Rat) int64 { return new(big.Int).Quo(r.Num(), r.Denom()).Int64() }

func smaller(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}
