// Package figures makes and keeps what the ledger adds up to, day by day: tables of
// declared facts (internal/star), hours of inference, spot interruptions
// and rates, findings and recommendations.
//
// Whatever it makes of a day replaces what was there, in one transaction that drops
// the day's mark; so it is as new as the ledger, or marked. Rules are those of
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
