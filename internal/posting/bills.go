package posting

import (
	"cmp"
	"math"
	"slices"

	"gpuledger/allocation/part"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// bill is cut as a unit: deliveries with stale parts, and everything that their lines may depend on.
type bill struct {
	fleet  *part.Fleet
	stale  []linked
	read   []linked              // the stale deliveries and the others of their bill
	months map[period.Month]bool // months of read that matter; nil: all
}

// linked is a delivery with the deliveries that its lines depend on.
type linked struct {
	BookDelivery
	fleet  *part.Fleet
	with   []int  // indexes of the deliveries of its bill, ascending, with its own
	others string // their ids
}

// bills finds stale deliveries and groups those that depend on each other.
func bills(deliveries []BookDelivery, s *scene) []bill {
	all := link(deliveries)
	stale := map[int]bool{}
	for i := range all {
		d := &all[i]
		d.fleet = s.fleetOf(d.BookDelivery)
		stale[i] = !d.fleet.Current(d.FleetDigest, d.others)
	}
	var out []bill
	for i := range all {
		if !stale[i] {
			continue
		}
		group := []int{i}
		stale[i] = false
		for at := 0; at < len(group); at++ {
			for _, k := range all[group[at]].with {
				if stale[k] && all[k].fleet == all[i].fleet {
					stale[k] = false
					group = append(group, k)
				}
			}
		}
		slices.Sort(group)
		out = append(out, gather(all, group))
	}
	return out
}

// gather builds the bill of stale deliveries.
func gather(all []linked, stale []int) bill {
	b := bill{fleet: all[stale[0]].fleet, months: map[period.Month]bool{}}
	read := map[int]bool{}
	for _, i := range stale {
		b.stale = append(b.stale, all[i])
		for _, k := range all[i].Keys {
			b.months[k.BillingPeriod] = true
		}
		for _, k := range all[i].with {
			read[k] = true
		}
	}
	for i := range all {
		if read[i] {
			b.read = append(b.read, all[i])
		}
	}
	if len(b.read) == len(b.stale) {
		b.months = nil
	}
	return b
}

// link finds the deliveries of one bill: those that share a key, or the scope
// and a billing period.
func link(deliveries []BookDelivery) []linked {
	index := map[BookKey][]int{}
	tokens := make([][]BookKey, len(deliveries))
	for i, d := range deliveries {
		for _, k := range d.Keys {
			tokens[i] = append(tokens[i], k)
			if d.Scope != "" {
				tokens[i] = append(tokens[i], BookKey{Account: "scope " + d.Scope, BillingPeriod: k.BillingPeriod})
			}
		}
		for _, t := range tokens[i] {
			if list := index[t]; len(list) == 0 || list[len(list)-1] != i {
				index[t] = append(list, i)
			}
		}
	}
	out := make([]linked, len(deliveries))
	for i, d := range deliveries {
		with := map[int]bool{i: true}
		for _, t := range tokens[i] {
			for _, k := range index[t] {
				with[k] = true
			}
		}
		out[i] = linked{BookDelivery: d}
		ids := []string{}
		for k := range deliveries {
			if with[k] {
				out[i].with = append(out[i].with, k)
				ids = append(ids, deliveries[k].ID.String())
			}
		}
		slices.Sort(ids)
		out[i].others = ledger.NewID("deliveries", ids...).String()
	}
	return out
}

// fleetOf returns the fleet as far as it can affect a delivery: instances first billed after it cannot.
func (s *scene) fleetOf(d BookDelivery) *part.Fleet {
	until := untilOf(d)
	f := s.fleets[until]
	if f == nil {
		f = part.NewFleet(s.derived.Nodes, func(key string) bool {
			from, billed := s.billedFrom[key]
			return billed && from < until
		})
		f.OwnedBy(s.ownerRules)
		s.fleets[until] = f
	}
	return f
}

// untilOf is a day after the end of the billing period, or of the last one in it; endOfTime if no period is known.
func untilOf(d BookDelivery) period.Second {
	last := period.Second(0)
	if month, err := d.BillingPeriod.Interval(); err == nil {
		last = month.To + period.Day
	}
	for _, k := range d.Keys {
		if month, err := k.BillingPeriod.Interval(); err == nil {
			last = max(last, month.To+period.Day)
		}
	}
	return cmp.Or(last, math.MaxInt64)
}
