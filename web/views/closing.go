package views

// PeriodCheck is the result of a close check.
type PeriodCheck struct {
	Title   string
	Steps   []CheckStep
	Blocked bool
	Proof   string // state of the ledger's proof, in a sentence
	Again   string // address to check again while the proof runs
	Error   *PanelError
}

// CheckStep is a point of the checklist: what has to hold, what keeps it from holding, and where that is solved.
type CheckStep struct {
	Text    string
	Reasons []string // none: it holds
	Link    Link
	Waiting bool // not known yet
}

// PeriodDesk is the form, with the outcome of the last request.
type PeriodDesk struct {
	Open                    bool // the page can change it
	Token                   bool // only with an operator's token
	Period, Account, Reason string
	Accounts                []string // to choose from
	Outcome
}

// Outcome is the result of a form.
type Outcome struct {
	Said    []string // changes that were made
	Refused []string // reasons of a refusal
}

// Statement is the statement of a closed period, as a document.
type Statement struct {
	Shell
	Back       Link
	Error      *PanelError
	Number     string // "111122223333 2026-10 v2"
	Title, Sub string
	Amounts    []Headline
	Facts      []StatementFact
	Sections   []StatementSection
	Foot       []string
	Digest     string
	Links      []Link
	Versions   TablePanel
	None       string // shown instead of the sections
	Others     []Link // the same statement in other currencies
	Files      []Link // the statement as a file
	Notes      []string
}

// StatementFact is a word with its details.
type StatementFact struct {
	Word, Text string
	Tone       string // "good", "warn" or empty
}

// StatementSection is a numbered part of the document.
type StatementSection struct {
	Title, Note string
	Strip       *Strip
	Table       Table
	None        string // shown instead of an empty table
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
