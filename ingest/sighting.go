package ingest

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Sighting is the time during which a cluster showed a machine (provider id) or a card (GPU
// UUID). A thing is in one cluster at a time.
type Sighting struct {
	Cluster string
	Thing   string
	Seen    period.Interval
}

// sightings collects what an import saw, per cluster and thing.
type sightings map[[2]string]period.Interval

func (s sightings) add(t *ledger.Telemetry) {
	see := func(cluster, thing string, seen period.Interval) {
		if thing != "" {
			k := [2]string{cluster, thing}
			s[k] = widen(s[k], seen)
		}
	}
	for i := range t.Nodes {
		if f := &t.Nodes[i]; f.FirstSeen > 0 {
			see(f.Cluster, f.ProviderID, period.Interval{From: f.FirstSeen, To: f.LastSeen + 1})
		}
	}
	for i := range t.Samples {
		h := &t.Samples[i]
		if h.Device == ledger.HostDevice {
			continue
		}
		see(h.Cluster, h.Device, period.Interval{From: h.Hour, To: h.Hour + period.Hour})
	}
}

func (s sightings) list() []Sighting {
	out := make([]Sighting, 0, len(s))
	for k, seen := range s {
		out = append(out, Sighting{k[0], k[1], seen})
	}
	slices.SortFunc(out, func(a, b Sighting) int {
		return cmp.Or(cmp.Compare(a.Thing, b.Thing), cmp.Compare(a.Cluster, b.Cluster))
	})
	return out
}

// check refuses an import that puts a known machine or card into another cluster while it is in
// its own: the same telemetry under two names would count twice. A thing may move. Only an
// overlap of more than an hour is a contradiction, since two hourly rows can share one.
func (s sightings) check(ctx context.Context, store Store) error {
	seen := s.list()
	for i := 1; i < len(seen); i++ {
		if a, b := seen[i-1], seen[i]; a.Thing == b.Thing && a.Seen.Intersect(b.Seen).Seconds() > period.Hour {
			return fmt.Errorf("%s is in cluster %q and in cluster %q at the same time; import each cluster's telemetry "+
				"once, with its --cluster", a.Thing, a.Cluster, b.Cluster)
		}
	}
	elsewhere, err := store.Elsewhere(ctx, seen)
	if err != nil {
		return fmt.Errorf("read the clusters of known machines: %w", err)
	}
	if len(elsewhere) > 0 {
		e := elsewhere[0]
		return fmt.Errorf("%s is known in cluster %q at the same time (%s); if this is that cluster's telemetry, import "+
			"it with --cluster %s", e.Thing, e.Cluster, e.Seen, e.Cluster)
	}
	return nil
}
