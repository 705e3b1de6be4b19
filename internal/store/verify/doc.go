// Package verify checks the invariants of a database: every charge adds up to its postings, no device is held twice,
// final rows have the digests that were chained, and every table of figures equals the ledger.
//
// A check is a statement that finds offending rows, or Go code over two streams. Its tolerance is zero. It changes
// nothing.
package verify

import (
	"embed"

	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Verifier checks the invariants of the whole database.
type Verifier struct {
	*pg.DB
}
