// Package figures computes and stores everything derived from the ledger: the tables of declared facts
// (internal/star), and figures that are not daily sums:
//
//   - hours of inference,
//   - rates of spot machines, which prices of other days may set,
//   - interruptions and the workloads that they hit, which have no day,
//   - waste_days, a journal of whole traces that findings are judged by,
//   - findings and recommendations.
//
// Facts share one staleness mark (step costs), one way to fill tables and one check. Each other step replaces its
// rows of a day in one transaction, which also drops the day's mark of the step; the mark of waste goes once the
// findings are stored. The rules are in metrics and internal/analysis: this package reads their rows and stores their
// results.
package figures

import (
	"embed"

	"gpuledger/internal/store/bills"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/facts"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Figures computes and stores everything derived from the ledger.
type Figures struct {
	*pg.DB
	*bills.Bills
	*book.Book
	*facts.Facts
	*report.Reports
}
