// Package pages reads what pages and the doctor show beside datasets: the fleet at
// an instant, a card's last hour, the time lines of a run, what exports carry.
//
// All of a page is read in one transaction. Its queries read the hours that are
// shown, however much is stored.
package pages

import (
	"embed"

	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Pages reads what pages show beside datasets.
type Pages struct {
	*pg.DB
}
