package views

// Tokens is the page of what programs show, and of logins of the database.
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
