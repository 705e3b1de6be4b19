// Package bills stores billing data: imports and their rejections, deliveries of charges, prices, spend on AI services,
// and the state of each source.
//
// A delivery is staged in temporary tables and published in one transaction after its control totals match those of a
// separate pass. A killed import leaves nothing. Charges are narrow rows whose texts are numbers in dictionaries of
// their delivery. Publishing the same delivery twice changes and marks nothing. The same transaction also marks
// everything in the ledger that a change can affect.
//
// It refuses a delivery if its order relative to a stored one is unknown, or if totals differ. It does not decide what
// a charge means for the ledger.
package bills

import (
	"embed"

	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Bills stores charges and related billing data.
type Bills struct {
	*pg.DB
}
