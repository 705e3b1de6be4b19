// Package report compiles questions to datasets into SQL, and answers them.
//
// A question is metrics.Query; what columns and keys mean is declared in metrics,
// what has been added up in internal/star. It goes one way (Reports.Query in query.go):
//
//   - what its dataset reads is one value (bases.go);
//   - a plan says which stretches of the window are read from what was added up, decided
//     inside the transaction that reads: days that are as new as the ledger; all else
//     comes from the ledger, so that answers never differ (plan.go; Reading says which);
//   - of each fact the roll-up is chosen by keys, filters and measures (choose.go);
//   - the statement of the dataset, report.DATASET in sql, gets its parts (parts.go), among them the rows of its
//     facts, stretch by stretch (facts.go), or of costs by any keys (costs.go);
//   - what is selected, grouped, ordered and shown of them is the answer (compile.go; formula.go adds up, filter.go
//     filters, top.go finds the first rows).
//
// Values travel as parameters, never as text.
//
// It writes nothing but views of schema bi_v1.
package report

import (
	"embed"

	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Reports answers questions to datasets.
type Reports struct {
	*pg.DB
}
