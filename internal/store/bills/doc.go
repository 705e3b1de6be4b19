// Package bills keeps what was billed: imports and their rejections, deliveries of
// charges, prices, spend on AI services, and the state of each source.
//
// A delivery is staged in temporary tables and published in one transaction, once
// its control totals agree with those of a separate pass; a killed import leaves
// nothing. Charges are narrow rows whose words are numbers of dictionaries of
// their delivery. Publishing the same delivery twice changes nothing and marks
// nothing; what a change can move in the ledger is marked in the same transaction.
//
// It refuses a delivery whose order against a stored one is not known, and totals
// that differ. What a charge means for the ledger is not decided here.
package bills

import (
	"embed"

	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Bills keeps charges, and what came with them.
type Bills struct {
	*pg.DB
}
