package part

import (
	"bytes"
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// place is one destination of a share and its weight.
type place struct {
	kind    ledger.PartKind
	node    *ledger.Node
	hour    period.Second
	weight  uint64
	method  string
	quality ledger.Quality
}

// places lists where a charge of that period goes, earliest hour first; the
// weights are never all zero.
func (c *Cutter) places(p period.Interval, t target) []place {
	start := p.From.Floor(period.Hour)
	switch {
	case len(t.pool) > 0:
		return c.pooledPlaces(p, t)
	case p.Seconds() <= period.Hour, p.Seconds() > longest, t.kind == ledger.PartNonGPU:
		return []place{{kind: t.kind, node: t.node, hour: start, weight: 1, method: t.method}}
	}
	if t.node != nil {
		if up := c.fleet.up(t.node, p); !up.Empty() {
			return hourly(up, place{kind: t.kind, node: t.node, method: ByUpSeconds})
		}
	}
	return hourly(p, place{kind: t.kind, node: t.node, method: Evenly})
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
		out = append(out, hourly(c.fleet.up(n, p), place{kind: t.kind, node: n, method: Pooled, quality: ledger.Estimated})...)
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

// spread splits each carried measure over the places, largest remainder,
// first place first.
func spread(costs ledger.Costs, places []place) ([]ledger.Part, error) {
	parts := make([]ledger.Part, len(places))
	for i, p := range places {
		parts[i] = ledger.Part{Kind: p.kind, Hour: p.hour, Method: p.method, Quality: p.quality}
		if p.node != nil {
			parts[i].NodeID = p.node.ID
		}
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
