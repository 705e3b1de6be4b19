package views

// Signed is who a page is shown to, in the rail.
type Signed struct {
	Name  string
	Role  string // in words
	Scope string // what he sees, in words
	By    string // the admin who sees as him; empty: nobody does
	Token bool   // a program asks, which has no session to end
}

// SignIn asks who somebody is.
type SignIn struct {
	Shell   Shell
	Name    string
	Back    string // where to go on
	Refused string
	// Elsewhere signs in at a provider; nil: there is none.
	Elsewhere *Link
	// Demo is on where links of a demo sign in.
	Demo bool
}

// Welcome lets somebody with a link choose a password.
type Welcome struct {
	Shell    Shell
	Name     string // empty: the link is not good any more
	Code     string
	Shortest int // characters
	Refused  string
}
