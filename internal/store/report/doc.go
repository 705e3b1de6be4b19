// Package report compiles questions to datasets into SQL, and answers them.
//
// A question is metrics.Query; what columns and keys mean is declared in metrics,
// what has been added up in internal/star. For each day of the window it is decided
// inside the transaction that reads whether a roll-up is as new as the ledger; what
// is not comes from the ledger, so that answers never differ (Reading says which).
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
