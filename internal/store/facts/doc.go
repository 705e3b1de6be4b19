// Package facts stores telemetry and events: samples, machines, cards, placements, workloads, attempts, checkpoints,
// events, results of experiments, and the inbox of acknowledged requests that are not read yet.
//
// Facts merge commutatively: any order, repetition and number of processes give the same rows. If two sources disagree
// about a property that cannot have two values, the discarded value is kept as a conflict. Texts that PostgreSQL cannot
// hold are cleaned, never refused. Each transaction also marks the days of nodes that its changes can affect.
package facts

import (
	"embed"

	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Facts stores telemetry, workloads, events and results.
type Facts struct {
	*pg.DB
}
