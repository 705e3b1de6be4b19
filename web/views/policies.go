package views

// PolicyDesk is the form, with the outcome of the last request.
type PolicyDesk struct {
	Open     bool   // the page can change the policy
	Token    bool   // only with an operator's token
	Document string // as typed, or an example
	From, To string
	Trial    *TablePanel
	Outcome
}
