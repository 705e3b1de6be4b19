package views

import "github.com/a-h/templ"

// Explained is the page that shows how a figure is computed.
type Explained struct {
	Shell
	Title    string
	Here     string // address of the page
	Back     Link
	Figures  []ExplainedFigure
	Sentence string
	Formula  string
	Sections []ExplainedSection
	JSON     Link
	Script   string // command that recomputes the figure; empty: there is none
	Error    *PanelError
}

// ExplainedFigure is one currency's costs.
type ExplainedFigure struct {
	Headline
	Tags  []Tag
	Costs Table
}

// ExplainedSection is a table or a text under a heading.
type ExplainedSection struct {
	Title, Note string
	Text        string
	Chart       templ.Component // nil: none
	Table       *Table
	Links       []Link
	More        *Link
}
