package views

// Explained shows how any figure comes about.
type Explained struct {
	Shell
	Title    string
	Back     Link
	Figures  []ExplainedFigure
	Sentence string
	Formula  string
	Sections []ExplainedSection
	JSON     Link
	Script   string // that computes it again; empty: nothing does
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
	Table       *Table
	More        *Link
}
