package part

import (
	"bytes"
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// longest is the longest charge period that is spread over its hours; a longer one (a term of years) stays at the hour
// in which it starts. Prepaid lines are spread over any term on sale.
const (
	longest        = 32 * period.Day
	longestPrepaid = 6 * 366 * period.Day
)

// Longest is the longest charge period, in seconds, that is spread over its hours,
// unless the line is prepaid.
const Longest = longest

// place is one destination of a share and its weight.
type place struct {
	kind    ledger.PartKind
	node    *ledger.Node
	hour    period.Second
	weight  uint64
	method  string
	quality ledger.Quality
}

// places lists the targets of a charge of that period, earliest hour first; the weights are never all zero.
func (c *Cutter) places(p period.Interval, t target) []place {
	switch {
	case len(t.pool) > 0:
		return c.pooledPlaces(p, t)
	case t.kind == ledger.PartNonGPU:
		return []place{atStart(p, place{kind: t.kind, method: t.method})}
	}
	if t.node != nil && p.Seconds() > period.Hour && p.Seconds() <= longest {
		if up := c.fleet.up(t.node, p); !up.Empty() {
			return hourly(up, place{kind: t.kind, node: t.node, method: ByUpSeconds})
		}
	}
	return evenly(p, longest, place{kind: t.kind, node: t.node, method: t.method})
}

// evenly spreads over the hours of a period; a period longer than most seconds goes to its first hour. Spread places
// get the method for spreading unless they already have one.
func evenly(p period.Interval, most int64, like place) []place {
	if n := p.Seconds(); n <= period.Hour || n > most {
		return []place{atStart(p, like)}
	}
	switch like.method {
	case ByResource, NoNode:
		like.method = Evenly
	}
	return hourly(p, like)
}

// atStart is the hour in which a period starts.
func atStart(p period.Interval, like place) place {
	like.hour, like.weight = p.From.Floor(period.Hour), 1
	return like
}

// hourly lists the hours of an interval weighted by their seconds in it.
func hourly(in period.Interval, like place) []place {
	var out []place
	for h := range in.Steps(period.Hour) {
		p := like
		p.hour, p.weight = h, uint64(in.Intersect(period.HourOf(h)).Seconds())
		out = append(out, p)
	}
	return out
}

func (c *Cutter) pooledPlaces(p period.Interval, t target) []place {
	var out []place
	for _, n := range t.pool {
		out = append(out, hourly(c.fleet.up(n, p),
			place{kind: t.kind, node: n, method: Pooled, quality: ledger.Estimated})...)
	}
	slices.SortFunc(out, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.hour, b.hour), bytes.Compare(a.node.ID[:], b.node.ID[:]))
	})
	return out
}

func weights(places []place) []uint64 {
	out := make([]uint64, len(places))
	for i, p := range places {
		out[i] = p.weight
	}
	return out
}

func (p place) part() ledger.Part {
	out := ledger.Part{Kind: p.kind, Hour: p.hour, Method: p.method, Quality: p.quality}
	if p.node != nil {
		out.NodeID = p.node.ID
	}
	return out
}

// spread splits each measure that is present over the places by largest remainder; on ties the first place wins.
func spread(costs ledger.Costs, places []place) ([]ledger.Part, error) {
	parts := make([]ledger.Part, len(places))
	for i, p := range places {
		parts[i] = p.part()
	}
	if len(places) == 1 {
		parts[0].Costs = costs
		return parts, nil
	}
	w := weights(places)
	for _, m := range ledger.Metrics {
		amount := costs.Get(m)
		if amount == nil {
			continue
		}
		shares, err := money.SplitUint(*amount, w)
		if err != nil {
			return nil, err
		}
		for i := range parts {
			parts[i].Set(m, &shares[i])
		}
	}
	return parts, nil
}
