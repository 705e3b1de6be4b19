package truth

import (
	"math/big"
	"strings"
	"unicode"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/bills"
	"gpuledger/internal/fleetsim/world"
)

// DemandKey is a team's demand for a family of machines.
type DemandKey struct{ Team, Family, Region, Currency string }

// Demand is how steadily a team holds machines of a family, and how much of their cost was covered or unused.
type Demand struct {
	Class             string // always_on, baseline, bursty
	Held              int64  // hours with any holder of the team
	Life              int64  // hours from the first of them on; 0: none
	Window            int64  // hours from the first to the last usage of all
	Covered, OnDemand *big.Rat
	Coverable         *big.Rat
	Worth             *big.Rat // the cost of Covered on demand
}

// Demands computes demand for commitments (docs/figures.md, 22.2), in the hours from an instant on.
func Demands(f *fleetsim.Fleet, since int64) map[DemandKey]*Demand {
	d := demandTruth{since: since, out: map[DemandKey]*Demand{}, held: map[DemandKey]map[int64]bool{}}
	for _, t := range truths(f) {
		d.work(t)
	}
	window := (d.last-d.first)/3600 + 1
	for k, x := range d.out {
		x.Window = window
		held := d.held[DemandKey{k.Team, k.Family, k.Region, ""}]
		if x.Held = int64(len(held)); x.Held > 0 {
			x.Life = (d.last-first(held))/3600 + 1
		}
		x.Coverable = new(big.Rat)
		switch {
		case x.Life < min(72, window):
			x.Class = "bursty"
		case 20*x.Held >= 19*x.Life:
			x.Class, x.Coverable = "always_on", x.OnDemand
		case 5*x.Held >= 3*x.Life:
			x.Class, x.Coverable = "baseline", x.OnDemand
		default:
			x.Class = "bursty"
		}
	}
	return d.out
}

type demandTruth struct {
	since       int64
	out         map[DemandKey]*Demand
	held        map[DemandKey]map[int64]bool // hours, without a currency
	first, last int64
}

func (d *demandTruth) work(t *truth) {
	machines := map[string]*world.Node{}
	for _, n := range t.World.Nodes {
		machines[n.InstanceID] = n
	}
	for i := range t.out.Usage {
		u := &t.out.Usage[i]
		if u.Hour < d.since {
			continue
		}
		if d.first == 0 || u.Hour < d.first {
			d.first = u.Hour
		}
		d.last = max(d.last, u.Hour)
		if u.PodUID == "" {
			continue
		}
		k := DemandKey{u.Team, family(machines[u.Instance].Type.Name), t.Site.Region, ""}
		if d.held[k] == nil {
			d.held[k] = map[int64]bool{}
		}
		d.held[k][u.Hour] = true
	}
	lines := t.lines()
	for i := range t.out.Postings {
		p := &t.out.Postings[i]
		if p.Part != "compute" || p.Effective == nil || p.Hour < d.since {
			continue
		}
		c, n := lines[linePlace{p.BillingPeriod, p.File, p.Line}], machines[p.Instance]
		covered := p.Kind == "amortise" || c.Bought == "covered"
		if !covered && c.Bought != "on_demand" { // discounts have no price class
			continue
		}
		k := DemandKey{p.Team, family(n.Type.Name), t.Site.Region, p.Currency}
		if d.out[k] == nil {
			d.out[k] = &Demand{Covered: new(big.Rat), OnDemand: new(big.Rat), Worth: new(big.Rat)}
		}
		if covered {
			d.out[k].Covered.Add(d.out[k].Covered, p.Effective)
			switch {
			case p.Contracted != nil:
				d.out[k].Worth.Add(d.out[k].Worth, p.Contracted)
			case p.List != nil:
				d.out[k].Worth.Add(d.out[k].Worth, p.List)
			}
		} else {
			d.out[k].OnDemand.Add(d.out[k].OnDemand, p.Effective)
		}
	}
}

// linePlace is the place of a line: files of every month have the same names.
type linePlace struct {
	period, file string
	line         int64
}

// lines are the charges of the bill by their place.
func (t *truth) lines() map[linePlace]*bills.Charge {
	lines := map[linePlace]*bills.Charge{}
	for _, c := range t.charges {
		lines[linePlace{c.Period, c.File, c.Line}] = c
	}
	return lines
}

// family is an instance type without its size.
func family(instanceType string) string {
	if name, _, sized := strings.Cut(instanceType, "."); sized {
		return name
	}
	if rest, of := strings.CutPrefix(instanceType, "Standard_"); of { // letters, then the number of cores
		cores := strings.IndexFunc(rest, unicode.IsDigit)
		return "Standard_" + rest[:cores] + strings.TrimLeft(rest[cores:], "0123456789-")
	}
	if at := strings.LastIndex(instanceType, "-"); at >= 0 &&
		strings.Trim(strings.TrimSuffix(instanceType[at+1:], "g"), "0123456789") == "" {
		return instanceType[:at]
	}
	return instanceType
}
