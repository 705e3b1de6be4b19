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
	Pace     []Fact // budget, and what starting and waiting cost
	Strip    Strip
	Chart    *chart.Gantt // nil when nothing is known of the time line
	NoChart  string       // why
	Links    []Link       // of the chart
	Bound    bool         // an upper bound is drawn
	Attempts Table
	Lines    Table // by node and cause: the chart's twin
	AsTable  bool
	Notes    []string
	Explain  Link
	Evidence *Evidence // nil: nobody else says what the run cost
	Error    *PanelError
}

// Evidence is what somebody else says of the same thing: one figure and one
// sentence, "Name Figure Text".
type Evidence struct {
	Name   string
	Tag    Tag
	Figure Figure
	Text   string
}

// Explain shows how a figure comes about: a page, and the drawer's content.
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
