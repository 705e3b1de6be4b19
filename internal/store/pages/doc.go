// Package pages reads what pages and the doctor show in addition to datasets: the fleet at an instant, a card's last
// hour, the timelines of a run, the contents of exports.
//
// Each page is read in one transaction. Its queries read only the hours that are shown, however much is stored.
package pages

import (
	"embed"

	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Pages reads for pages and the doctor.
type Pages struct {
	*pg.DB
}
