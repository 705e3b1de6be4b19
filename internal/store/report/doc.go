// Package report compiles queries to datasets into SQL, and answers them.
//
// A query is metrics.Query. Package metrics declares the columns and keys, internal/star the roll-ups. From query to
// answer (Reports.Query in query.go):
//
//   - one value says what the query's dataset reads (bases.go);
//   - a plan picks the stretches of the window to read from roll-ups, inside the transaction that reads:
//     days that are as new as the ledger; the rest comes from the ledger, so that answers never differ
//     (plan.go; Reading explains the choice);
//   - the roll-up of each fact is chosen by keys, filters and measures (choose.go);
//   - the statement of the dataset, report.DATASET in sql, gets its parts (parts.go), among them the rows of its
//     facts, stretch by stretch (facts.go), or of costs by any keys (costs.go);
//   - the columns, groups, order and rows of the answer are selected from them (compile.go; formula.go adds up,
//     filter.go filters, top.go finds the first rows).
//
// Values travel as parameters, never as text.
//
// Exports of single rows, such as postings, are read in pieces of time (pieces.go). Their rows name owners, nodes,
// workloads and terms by id; the names are looked up once per id (leads.go).
//
// The package writes only the views of schema bi_v1.
package report

import (
	"embed"
	"sync/atomic"

	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Reports answers queries to datasets.
type Reports struct {
	*pg.DB
	last atomic.Pointer[metrics.Version] // the newest that was counted
}
