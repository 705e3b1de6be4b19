package views

// Tokens is the page of API tokens and database logins.
type Tokens struct {
	Shell         Shell
	Sentence, Sub string
	Once          *Once
	Refused       string
	Tokens        TablePanel
	Form          GrantForm
	Logins        TablePanel
	Fixed         bool // nothing may be changed
}
