package views

// Account is the page of who is signed in.
type Account struct {
	Shell         Shell
	Sentence, Sub string
	Refused       string
	Role, For     string
	Sees          []string // conditions, or one word for all
	May           []string
	Sessions      []Session // nil: a program asks
	Others        bool      // there is a session beside this one
	Fixed         bool      // nothing may be changed
}

// Session is a session as a row.
type Session struct {
	ID, Browser, Agent, Address string
	SeesAs                      string
	Began, Seen                 Figure
	This                        bool
}
