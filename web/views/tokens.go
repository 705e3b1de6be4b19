package views

// Tokens is the page of what programs show, and of logins of the database.
type Tokens struct {
	Shell         Shell
	Sentence, Sub string
	Once          *Once
	Refused       string
	Tokens        []Token
	Form          GrantForm
	Logins        []Login
	Fixed         bool // nothing may be changed
}

// Token is a token as a row.
type Token struct {
	ID, Short, Name, Role, Sees string
	State                       Tag
	Created, Ends, Used         Figure
	Over                        bool // it has ended
}

// Login is a login of the database for BI tools, as a row.
type Login struct{ Name, Sees string }
