package report

import (
	"gpuledger/internal/star"
	"gpuledger/metrics"
)

// Names that tests in package report_test use.
type Piece = piece
type Source = source

const FromDays = fromDays
const FromHours = fromHours
const FromLedger = fromLedger
const FromMonths = fromMonths
const FromNowhere = fromNowhere
const MostLedgerPieces = mostLedgerPieces

var BiViews = biViews
var Ident = ident
var KeyColumns = keyColumns
var Planned = planned

// PilotSQL returns the expressions of a pilot's gates.
func PilotSQL() (gate, reasons, alarm string) { return pilotGate(), pilotReasons(), pilotAlarm() }

// DatasetRows are the rows of a dataset without a statement that a fact answers, cut in time like dataset like.
func DatasetRows(f *star.Fact, like string) string {
	d, _ := metrics.LookupDataset(like)
	return stating(metrics.Query{Dataset: d, Granularity: metrics.Day}).datasetRows(f)
}

// RollupOf is the roll-up of costs that answers users with full access; nil: none.
func RollupOf(q metrics.Query) *star.Rollup {
	if chosen := readOf(&star.Cost).choose(q, shape{}); AddsUp(q) && len(chosen) > 0 {
		return chosen[0]
	}
	return nil
}

// PieceSQL is the statement of a piece without bounds, with literals only.
func PieceSQL(q metrics.Query) string { return stating(q).answer(leadsOf(q)) }

// TinyPages gives each row of a piece its own page, until undone.
func TinyPages() (undo func()) {
	bytes, row := pageBytes, leastRow
	pageBytes, leastRow = 1, 2
	return func() { pageBytes, leastRow = bytes, row }
}
