// Package explain says where a figure comes from: formula, inputs as rationals,
// charge lines with file and line, samples, and the version of the policy; enough
// for a short script of somebody else to compute it again.
//
// It reads the ledger alone; only pages, which take a figure apart step by step
// (level.go), read roll-ups down to the days whose bill lines they show. Of closed periods it reads the evidence
// that was frozen with them.
package explain

import (
	"embed"

	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Explainer says where a figure comes from.
type Explainer struct {
	*pg.DB
	*book.Book
}
