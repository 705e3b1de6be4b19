package views

import (
	"github.com/a-h/templ"

	"gpuledger/web/views/chart"
)

// Figures is a page drawn from a dataset's definition.
type Figures struct {
	Shell
	Title         string
	Sentence, Sub string
	Facts         []Fact
	Ties          []string // how they and figures of other pages lead to each other
	Course        *Course
	AsTable       bool
	Search        *Search // nil: none
	Table         TablePanel
	More          []TablePanel
	Above, Below  templ.Component // the table; nil: nothing
	Previous      string
	Next          string
	None          string
	Way           Link // out of an empty page
	Error         *PanelError
	// Errors by panel: "course", titles of further panels.
	Errors map[string]PanelError
}

// Search is a field that finds rows of the page by a text, sent as q.
type Search struct {
	Action, Label, Hint, Text string
	Hidden                    [][2]string // what else the address asks
}

// LayoutHistory is how cards were cut over time.
type LayoutHistory struct {
	Wide, Narrow chart.LayoutsDrawing
	Note         string // what is not drawn
}

// Course is a figure per day, with its twin.
type Course struct {
	Title, Note    string
	Drawing, Small chart.LineDrawing
	Twin           Table
	Links          []Link
}
