package views

import "gpuledger/web/views/chart"

// Figures is a page drawn from a dataset's definition.
type Figures struct {
	Shell
	Title         string
	Sentence, Sub string
	Facts         []Fact
	Ties          []string // how they and figures of other pages lead to each other
	Course        *Course
	AsTable       bool
	Table         TablePanel
	More          []TablePanel
	Previous      string
	Next          string
	None          string
	Way           Link // out of an empty page
	Error         *PanelError
	// Errors by panel: "course", titles of further panels.
	Errors map[string]PanelError
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
