// Package explain shows how a figure was computed: the formula, inputs as rational numbers, charge lines with file
// and line, samples, and the policy version. That is enough for a short independent script to recompute the figure.
//
// Figures that follow from other figures (metrics.Origin) are explained by the datasets that they come from, with the
// rights of the reader. Others are read from the ledger. Only pages, which break a figure down step by step (level.go), read roll-ups, down to the days
// whose bill lines they show. For closed periods it reads the evidence that was frozen at closing.
package explain

import (
	"embed"

	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Explainer explains figures.
type Explainer struct {
	*pg.DB
	*book.Book
	// From answers the datasets that derived figures follow from.
	From metrics.Source
}
