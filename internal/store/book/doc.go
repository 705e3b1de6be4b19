// Package book keeps the ledger: it reads what a node's day is computed from,
// saves runs, parts, chunks of usage and postings, what sharing gives and takes,
// policies, calculations, statements and the audit log.
//
// A chunk (one node, one UTC day) is replaced in one transaction, hour by hour
// where only some differ, and its marks are dropped with it. What many postings have
// in common, their terms, is written once (terms.go). Rows that are final
// are never changed, whoever asks. It decides nothing about money: rules live in
// allocation.
package book

import (
	"embed"

	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles, usageRow, partRow, postingRow, spanRow)

// Book keeps the ledger, and what it is computed from.
type Book struct {
	*pg.DB
}
