package views

// PeriodCheck is what speaks against closing a period.
type PeriodCheck struct {
	Title   string
	Reasons []string // none: it can be closed
	Proof   string   // what is known of the ledger's proof, in a sentence
	Again   string   // where to look again while the proof runs
	Error   *PanelError
}

// PeriodDesk is the form, and what became of the last thing asked.
type PeriodDesk struct {
	Open                    bool // somebody may change it from here
	Token                   bool // with an operator's token
	Period, Account, Reason string
	Accounts                []string // to choose from
	Outcome
}

// Outcome is what came of a form.
type Outcome struct {
	Said    []string // what was done
	Refused []string // why it was not
}

// Statement is what was said when a period was closed, as a document.
type Statement struct {
	Shell
	Back       Link
	Error      *PanelError
	Number     string // "111122223333 2026-10 v2"
	Title, Sub string
	Amount     Headline
	Facts      []StatementFact
	Sections   []StatementSection
	Foot       []string
	Digest     string
	Links      []Link
	Versions   TablePanel
	None       string // instead of the sections
	Others     []Link // the same statement in other currencies
}

// StatementFact is a word and what it is about.
type StatementFact struct {
	Word, Text string
	Tone       string // "good", "warn" or empty
}

// StatementSection is a numbered part of the document.
type StatementSection struct {
	Title, Note string
	Strip       *Strip
	Table       Table
	None        string // when it has no rows
}

// StatementDiff compares two statements.
type StatementDiff struct {
	Shell
	Back          Link
	Sentence, Sub string
	Facts         []Fact
	Owners, Lines TablePanel
	Error         *PanelError
}
