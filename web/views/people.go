package views

// Signed is who a page is shown to, in the rail.
type Signed struct {
	Name  string
	Role  string // in words
	Scope string // what he sees, in words
	By    string // the admin who sees as him; empty: nobody does
	Stays bool   // there is nothing to sign out of: a program asks, or a proxy says who it is
}

// Stranger says why somebody is not let in whom a proxy names.
type Stranger struct {
	Shell   Shell
	Name    string // empty: it is not known
	Reason  string // a sentence
	SignOut string // where the proxy ends its session; empty: nowhere
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
