// Package periods closes and reopens billing periods: it makes rows of a period
// final with the evidence behind them, and keeps the journal of what was decided.
// Of postings it changes the terms, of usage rows it lists the node-hours.
//
// Closing is one transaction; a period is final as a whole or not at all. What is
// final is never changed or deleted: triggers refuse it to everybody.
package periods

import (
	"embed"

	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/verify"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Periods closes and reopens the books.
type Periods struct {
	*pg.DB
	*book.Book
	*verify.Verifier
}
