package views

// Decision is the form below a row to decide on
// it.
type Decision struct {
	Of      string // name of the row's subject
	ID      string
	Action  string // address of the form without scripts
	Row     string // address of the form with scripts; it answers with the row
	Cancel  Link   // Href is used without scripts
	Back    string // address of the row without the form, for scripts
	Note    string
	Token   bool // the form asks for an operator's token
	Choices []Choice
	Refused []string
}

// Choice is a button of a decision.
type Choice struct{ Status, Text string }

// DecidedRow is the answer to a script: the row, and the other parts of
// the page that its decision changed.
type DecidedRow struct {
	Heads         []SortLink
	Row           Row
	Sentence, Sub string
	Facts         []Fact
	// Said is for screen readers; empty if nothing was decided.
	Said string
}
