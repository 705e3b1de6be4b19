// Package verify checks what must hold of a database: every charge adds up to its
// postings, nothing is held twice, digests of what is final are those that were
// chained, and every table of figures says what the ledger says.
//
// A check is a statement that finds offending rows, or Go over two streams. Its
// tolerance is zero. It changes nothing.
package verify

import (
	"embed"

	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Verifier checks what must hold of the whole database.
type Verifier struct {
	*pg.DB
}
