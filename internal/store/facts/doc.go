// Package facts keeps what happened: samples, machines, cards, placements,
// workloads, attempts, checkpoints, events, results of experiments, and the inbox of
// what was acknowledged but not yet read.
//
// Facts merge commutatively: in any order, any number of times, from any number of
// processes, the rows are the same. A value that lost against another where there
// cannot be two stays visible as a conflict. Texts that PostgreSQL cannot hold are
// cleaned, never refused. Days of nodes that a change can move are marked in its
// transaction.
package facts

import (
	"embed"

	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Facts keeps telemetry, workloads, events and results.
type Facts struct {
	*pg.DB
}
