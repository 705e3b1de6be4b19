package ingest

import (
	"context"
	"fmt"

	"gpuledger/internal/ledger"
)

// noCluster notes rows without a cluster.
const noCluster = "rows without a cluster, stored as cluster " + defaultCluster +
	"; set another one with --cluster, or with cluster in the configuration"

// factCheck checks telemetry for contradictions, in itself and with stored facts, before it is
// published.
type factCheck struct {
	names *identities
	seen  sightings
}

func newFactCheck() factCheck {
	return factCheck{newIdentities(defaultCluster), sightings{}}
}

func (c factCheck) add(t *ledger.Telemetry) {
	c.names.add(t)
	c.seen.add(t)
}

// run refuses node names that stand for two machines at once, if rows have no cluster, and
// machines that another cluster has.
func (c factCheck) run(ctx context.Context, store Store, unlabelled int64) error {
	if unlabelled > 0 {
		known, err := store.NodeIdentities(ctx, defaultCluster, c.names.names())
		if err != nil {
			return fmt.Errorf("read known nodes: %w", err)
		}
		if err := c.names.check(known); err != nil {
			return err
		}
	}
	return c.seen.check(ctx, store)
}
