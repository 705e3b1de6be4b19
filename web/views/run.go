package views

import "gpuledger/web/views/chart"

// RunDetail is one run over all its attempts.
type RunDetail struct {
	Shell
	Crumbs   []Link
	Name     string
	Status   Tag
	Sentence string
	Cost     Headline
	Facts    []Fact
	Pace     []Fact // budget, and the cost of starting and waiting
	Strip    Strip
	Chart    *chart.Gantt // nil: the time line is unknown
	NoChart  string       // why there is no chart
	Links    []Link       // of the chart
	Bound    bool         // an upper bound is drawn
	Attempts Table
	Lines    Table // by node and cause: the chart's twin
	AsTable  bool
	Notes    []string
	Explain  Link
	Evidence *Evidence // nil: no other source states the cost of the run
	Error    *PanelError
}

// Evidence is the same figure from another source, with one
// sentence: "Name Figure Text".
type Evidence struct {
	Name   string
	Tag    Tag
	Figure Figure
	Text   string
}

// Explain shows how a figure is computed, on a page and in the drawer.
type Explain struct {
	Shell
	Title    string
	Back     Link
	Figure   Headline
	Tags     []Tag
	Sentence string
	Formula  string
	Inputs   Table
	Price    string
	Lines    Table
	LineNote string
	LineMore *Link
	Samples  string
	Policy   string
	Script   string
	Error    *PanelError
}
