package views

// Decision is the form below a row in which an operator says what becomes of
// it.
type Decision struct {
	Of      string // what is decided on
	ID      string
	Action  string // where it is sent without scripts
	Row     string // where scripts send it, and get the row back
	Cancel  Link   // Href without scripts
	Back    string // the row without the form, for scripts
	Note    string
	Token   bool // an operator's token is asked for
	Choices []Choice
	Refused []string
}

// Choice is a button of a decision.
type Choice struct{ Status, Text string }

// DecidedRow answers a script that asked for a row: the row, and what else on
// the page its decision changed.
type DecidedRow struct {
	Heads         []SortLink
	Row           Row
	Sentence, Sub string
	Facts         []Fact
	// Said is read out; empty where nothing was decided.
	Said string
}
