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
	Ties          []string // how the facts relate to figures of other pages
	Course        *Course
	AsTable       bool
	Search        *Search // nil: none
	Table         TablePanel
	More          []TablePanel
	Above, Below  templ.Component // above and below the table; nil: nothing
	Previous      string
	Next          string
	None          string
	Way           Link // on an empty page, the link to one with data
	Error         *PanelError
	// Errors by panel: "course", titles of further panels.
	Errors map[string]PanelError
}

// Search is a field that filters the rows of the page by a text, sent as q.
type Search struct {
	Action, Label, Hint, Text string
	Hidden                    [][2]string // other parameters of the address
}

// LayoutHistory is how GPUs were divided over time (MIG).
type LayoutHistory struct {
	Wide, Narrow chart.LayoutsDrawing
	Note         string // names the parts that are not drawn
}

// Course is a figure per day, with its twin.
type Course struct {
	Title, Note    string
	Drawing, Small chart.LineDrawing
	Twin           Table
	Links          []Link
}
