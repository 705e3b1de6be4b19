// Package figures makes and keeps what the ledger adds up to: tables of declared facts
// (internal/star), and what is no sum of a day: hours of inference, rates of spot
// machines, which prices of other days may set, interruptions and whom they hit, which
// have no day, what a day says of waste (waste_days, a journal of whole traces that
// findings are judged by), findings and recommendations.
//
// Facts have one mark of what is stale (step costs), one filling and one verifying. What
// else is made of a day replaces what was there, in one transaction that drops the day's
// mark of its step; of waste that goes when the findings are there. Rules are those of
// metrics and internal/analysis: this package brings them rows and keeps answers.
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

// Figures makes and keeps what the ledger adds up to.
type Figures struct {
	*pg.DB
	*bills.Bills
	*book.Book
	*facts.Facts
	*report.Reports
}
