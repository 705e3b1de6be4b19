package views

import (
	"strconv"

	"github.com/a-h/templ"

	"gpuledger/web/views/chart"
)

// Panel is a question with its answer drawn.
type Panel struct {
	Name, Title, Note string
	Links             []Link
	Error             *PanelError
	None              string // text without drawings
	Drawings          []Drawing
	Asked             Asked
	Events            []Reason // what happened on the time axis
	Foot              []string
	Open              bool            // the tables are shown, not folded
	AsTable           bool            // tables instead of charts
	Lead              templ.Component // before the title; may be nil
	Above             templ.Component // before the charts; may be nil
	Class             string          // its place in the grid
}

// Drawing is a chart of one currency with its table.
type Drawing struct {
	Heading string // the currency, if there are several
	Body    templ.Component
	Twin    Table // without heads: the body is a table itself
}

// Asked is the question of a panel in three languages.
type Asked struct {
	SQL, REST, Command string
	NoSQL              string // why there is no SQL
}

// LegendKey names a colour of a chart.
type LegendKey struct{ Class, Text, Figure, Href string }

// Ranked are bars below each other, each with its name and figure.
type Ranked struct {
	Label string
	Bars  []RankedBar
	Left  int     // groups that are not drawn
	Zero  float64 // where 0 is, as a share of the width
}

// RankedBar is a bar; From, Width and Before are shares of the width.
type RankedBar struct {
	Name        string
	Figure      Figure
	Note        string // after the figure: its share of the first
	Mark        chart.Mark
	Class       string
	From, Width float64
	Before      float64
	BeforeText  string // empty: nothing to compare with
	Others      bool
}

// x prints a share as a percentage of the width.
func x(share float64) string { return strconv.FormatFloat(share*100, 'f', 2, 64) + "%" }

// PivotTable is a tree of groups with subtotals.
type PivotTable struct {
	Caption, Head string
	Keys          []string
	Rows          []PivotRow
	Compared      bool
	Was           string // head of what it is compared with
	Acts          bool   // rows have links at their end
	Left          int
}

// PivotRow is a group, or a sum of those below it.
type PivotRow struct {
	Name   string
	Depth  int
	Sum    bool
	Mark   chart.Mark
	Figure Figure
	Before Figure
	Change Figure
	Acts   []Link
}

// Panels is a page of panels.
type Panels struct {
	Shell
	Sentence, Sub string
	Intro         templ.Component // instead of the two, where they wait for figures; may be nil
	Above         templ.Component // between the sentence and the panels; may be nil
	Panels        []templ.Component
	Below         templ.Component // after the panels; may be nil
}

// Reason is a sentence with the page that proves it.
type Reason struct {
	Text string
	Link Link
}
