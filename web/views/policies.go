package views

// PolicyDesk is the form, and what became of the last thing asked.
type PolicyDesk struct {
	Open     bool   // somebody may change it from here
	Token    bool   // with an operator's token
	Document string // as typed, or an example
	From, To string
	Trial    *TablePanel
	Outcome
}
