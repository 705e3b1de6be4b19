package bills

import (
	"context"

	"gpuledger/ingest"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// Elsewhere returns machines and cards that are stored in a cluster other than the one they were seen in, for times
// that overlap by more than an hour: at most ten, in order.
func (s *Bills) Elsewhere(ctx context.Context, seen []ingest.Sighting) ([]ingest.Sighting, error) {
	n := len(seen)
	clusters, things := make([]string, n), make([]string, n)
	from, to := make([]period.Second, n), make([]period.Second, n)
	for i, v := range seen {
		clusters[i], things[i], from[i], to[i] = v.Cluster, v.Thing, v.Seen.From, v.Seen.To
	}
	var list []ingest.Sighting
	err := pg.Each(ctx, s.Pool, "import.elsewhere", func(v struct {
		Cluster, Thing string
		period.Interval
	}) error {
		list = append(list, ingest.Sighting{Cluster: v.Cluster, Thing: v.Thing, Seen: v.Interval})
		return nil
	}, pg.Tenant, clusters, things, from, to)
	return list, err
}
