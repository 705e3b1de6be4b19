// Package periods closes and reopens billing periods: it makes the rows of a period final together with their evidence,
// and records the decisions. Postings become final by the state in their terms, usage rows by a row of frozen_hours for
// their node-hour.
//
// Closing is one transaction: a period becomes final as a whole or not at all. Final rows are never changed or deleted;
// triggers refuse it for every role.
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
