// Package book stores the ledger. It reads the facts from which a node's day is computed, and saves runs, parts, chunks
// of usage and postings, results of sharing, policies, calculations, statements and the audit log.
//
// A chunk (one node, one UTC day) is replaced in one transaction, hour by hour if only some hours differ, and its marks
// are dropped with it. Terms that many postings have in common are written once (terms.go). Final rows never change.
// The package decides nothing about money: the rules are in allocation.
package book

import (
	"embed"

	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles, usageRow, partRow, postingRow, spanRow)

// Book stores the ledger and reads its inputs.
type Book struct {
	*pg.DB
}
