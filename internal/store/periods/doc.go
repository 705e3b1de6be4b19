// Package periods closes and reopens billing periods: it makes the rows of a period final together with their evidence,
// and records the decisions. For postings it changes the terms; for usage rows it lists the node-hours.
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
